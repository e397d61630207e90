import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Secret } from './secret.tsx'

interface Props {
  title: string
  close: () => void
  /** A secret that is shown only once, to copy; null if there is none. */
  secret: string | null | undefined
  children?: ReactNode
}

/** Shows the result of a form, with a secret that is never shown again: then only the button closes it. */
export function OutcomeDialog({ title, close, secret, children }: Props) {
  return (
    <Dialog title={title} open close={close} hasSecret={Boolean(secret)}>
      {children}
      {secret && <Secret text={secret} />}
      <div className="end">
        <Button kind="primary" onPress={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
