import type { ReactNode } from 'react'

interface Props {
  /** As a source or a team states it. */
  href: string
  children: ReactNode
}

/** A link that leads out of the console: an address of the web, or no link at all. */
export function OutsideLink({ href, children }: Props) {
  if (!/^https?:\/\//i.test(href)) return children
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  )
}
