import type { DialogProps } from './dialog-window.tsx'
import { InPlaceOfDialog, script, useScript } from './script.tsx'

/** What draws dialogs: pages come first. */
export const dialogs = script(async () => (await import('./dialog-window.tsx')).DialogWindow)

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function Dialog(props: DialogProps) {
  const { open, stays, title, close } = props
  const { part: Window, ...waits } = useScript(dialogs, open)
  if (Window) return <Window {...props} />
  return open && <InPlaceOfDialog title={title} close={stays ? undefined : close} {...waits} />
}
