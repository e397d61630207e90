import { useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog-window.tsx'
import { lazyScript, NotLoaded, useScript } from './script.tsx'
import { Loading } from './states.tsx'

/** The script that draws dialogs, which loads after the page. */
export const dialogScript = lazyScript(async () => (await import('./dialog-window.tsx')).DialogWindow)

/** A modal dialog: it traps the focus and restores it afterwards. Escape closes it, unless it is blocking or has a secret. */
export function Dialog(props: DialogProps) {
  const { open, isBlocking, hasSecret, title, close } = props
  const { part: Window, ...loadState } = useScript(dialogScript, open)
  if (Window) return <Window {...props} />
  return open && <DialogFallback title={title} close={isBlocking || hasSecret ? undefined : close} {...loadState} />
}

interface DialogFallbackProps {
  title: string
  failed: boolean
  retry: () => void
  /** Undefined if no key or click closes the dialog and the page beneath is hidden. */
  close: (() => void) | undefined
}

/** Shown instead of a dialog whose script is not loaded; it needs no script of its own. */
export function DialogFallback({ title, failed, retry, close }: DialogFallbackProps) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = dialogRef.current
    dialog?.showModal()
    // The element must still be in the page to restore the focus.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={dialogRef}
      className={close ? 'dialog' : 'dialog opaque'}
      aria-label={title}
      onClose={() => (close ? close() : dialogRef.current?.showModal())}
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
