import type { ReactNode } from 'react'

interface Props {
  /** URL from a source or a team. */
  href: string
  children: ReactNode
}

/** A link out of the console. Only http and https URLs become links. */
export function OutsideLink({ href, children }: Props) {
  if (!/^https?:\/\//i.test(href)) return children
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  )
}
