import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

interface Props {
  title: string
  open: boolean
  close: () => void
  children: ReactNode
}

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function Dialog({ title, open, close, children }: Props) {
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
