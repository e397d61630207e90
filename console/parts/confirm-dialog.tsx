import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  open: boolean
  /** Label of the button that cancels: "Keep it". */
  cancelLabel: string
  close: () => void
  /** Label of the button that acts. */
  label: string
  pending: boolean
  act: () => void
  children: ReactNode
}

/** Asks for confirmation before a destructive action. It cannot be closed while the action is pending. */
export function ConfirmDialog({ title, open, cancelLabel, close, label, pending, act, children }: Props) {
  return (
    <Dialog title={title} open={open} close={() => !pending && close()}>
      {children}
      <div className="end">
        <Button isPending={pending} onPress={close}>
          {cancelLabel}
        </Button>
        <Button kind="destructive" isPending={pending} onPress={act}>
          {label}
        </Button>
      </div>
    </Dialog>
  )
}
