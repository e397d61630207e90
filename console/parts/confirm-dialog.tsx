import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  open: boolean
  /** The way back, in words: "Keep it". */
  back: string
  close: () => void
  /** What cannot be undone, in words. */
  label: string
  pending: boolean
  act: () => void
  children: ReactNode
}

/** Asks once more before what cannot be undone; once it is begun there is no way back until the answer is there. */
export function ConfirmDialog({ title, open, back, close, label, pending, act, children }: Props) {
  return (
    <Dialog title={title} open={open} close={() => !pending && close()}>
      {children}
      <div className="end">
        <Button isPending={pending} onPress={close}>
          {back}
        </Button>
        <Button kind="grave" isPending={pending} onPress={act}>
          {label}
        </Button>
      </div>
    </Dialog>
  )
}
