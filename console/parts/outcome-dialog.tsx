import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  close: () => void
  /** Shown this once, to be copied; null where there is none. */
  secret: string | null | undefined
  children?: ReactNode
}

/** Says what came of a form, with what is never shown again. */
export function OutcomeDialog({ title, close, secret, children }: Props) {
  return (
    <Dialog title={title} open close={close}>
      {children}
      {secret && <code className="secret">{secret}</code>}
      <div className="end">
        <Button kind="first" onPress={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
