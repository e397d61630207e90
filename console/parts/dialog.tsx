import { type ComponentType, useEffect, useState } from 'react'
import type { DialogProps } from './dialog-window.tsx'

let Window: ComponentType<DialogProps> | null = null

/** Loads what draws dialogs: pages come first, and it is at hand by the time that somebody opens one. */
export async function loadDialogs(): Promise<void> {
  Window ??= (await import('./dialog-window.tsx')).DialogWindow
}

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function Dialog(props: DialogProps) {
  const [, setLoaded] = useState(Window !== null)
  const { open } = props
  useEffect(() => {
    if (open && !Window) loadDialogs().then(() => setLoaded(true))
  }, [open])
  return Window && <Window {...props} />
}
