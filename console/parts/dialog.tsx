import { useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog-window.tsx'
import { NotLoaded, script, useScript } from './script.tsx'
import { Loading } from './states.tsx'

/** What draws dialogs: pages come first. */
export const dialogs = script(async () => (await import('./dialog-window.tsx')).DialogWindow)

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function Dialog(props: DialogProps) {
  const { open, stays, title, close } = props
  const { part: Window, ...waits } = useScript(dialogs, open)
  if (Window) return <Window {...props} />
  return open && <InPlaceOfDialog title={title} close={stays ? undefined : close} {...waits} />
}

interface InPlaceProps {
  title: string
  failed: boolean
  retry: () => void
  /** None where nothing that is pressed closes it, and what is beneath is not seen. */
  close: (() => void) | undefined
}

/** Stands in the place of a dialog whose script is not there, and needs none itself. */
export function InPlaceOfDialog({ title, failed, retry, close }: InPlaceProps) {
  const shown = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = shown.current
    dialog?.showModal()
    // It gives the focus back while it is in the page still.
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
