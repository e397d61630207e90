import { useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog-window.tsx'
import { NotLoaded, script, useScript } from './script.tsx'
import { Loading } from './states.tsx'

/** The script that draws dialogs, which loads after the page. */
export const dialogs = script(async () => (await import('./dialog-window.tsx')).DialogWindow)

/** A modal dialog: it traps the focus and restores it afterwards. Escape closes it. */
export function Dialog(props: DialogProps) {
  const { open, stays, title, close } = props
  const { part: Window, ...waits } = useScript(dialogs, open)
  if (Window) return <Window {...props} />
  return open && <DialogFallback title={title} close={stays ? undefined : close} {...waits} />
}

interface InPlaceProps {
  title: string
  failed: boolean
  retry: () => void
  /** Undefined if no key or click closes the dialog and the page beneath is hidden. */
  close: (() => void) | undefined
}

/** Shown instead of a dialog whose script is not loaded; it needs no script of its own. */
export function DialogFallback({ title, failed, retry, close }: InPlaceProps) {
  const shown = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = shown.current
    dialog?.showModal()
    // The element must still be in the page to restore the focus.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={shown}
      className={close ? 'dialog' : 'dialog closed'}
      aria-label={title}
      onClose={() => (close ? close() : shown.current?.showModal())}
    >
      {failed ? <NotLoaded what={`“${title}”`} retry={retry} /> : <Loading what={`“${title}”`} />}
      {close && (
        <div className="end">
          <Button onPress={close}>Close</Button>
        </div>
      )}
    </dialog>
  )
}
