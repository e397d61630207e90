import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-window.tsx'

/** Loads what draws dialogs: pages come first, and it is at hand by the time that somebody opens one. */
export const loadDialogs = () => import('./dialog-window.tsx')
const Window = lazy(async () => ({ default: (await loadDialogs()).DialogWindow }))

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(false)
  if (props.open && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense fallback={null}>
      <Window {...props} />
    </Suspense>
  )
}
