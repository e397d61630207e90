import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export interface DialogProps {
  title: string
  open: boolean
  close: () => void
  children: ReactNode
}

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function DialogWindow({ title, open, close, children }: DialogProps) {
  return (
    <ModalOverlay className="veil" isOpen={open} onOpenChange={(stays) => !stays && close()} isDismissable>
      <Modal className="dialog">
        <AriaDialog>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
