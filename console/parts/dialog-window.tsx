import { type ReactNode, useEffect, useState } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export interface DialogProps {
  title: string
  open: boolean
  /** None where it `stays`. */
  close?: () => void
  /** Nothing that is pressed closes it, and what is beneath is not seen. */
  stays?: boolean
  children: ReactNode
}

/** A dialog that keeps the focus, and gives it back; Escape closes it. */
export function DialogWindow({ title, open, close, stays = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className={stays ? 'veil closed' : 'veil'}
      isOpen={open}
      onOpenChange={(opens) => !opens && close?.()}
      isDismissable={!stays}
      isKeyboardDismissDisabled={stays}
    >
      <Modal className="dialog">
        <AriaDialog>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
          <FocusBack />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/**
 * Gives the focus back to what had it. React Aria does so in the next frame, when what lies beneath may be inert still and takes none.
 * What is gone by then, as the button of a row that was removed, leaves it to the page.
 */
function FocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    const giveBack = () => {
      if (document.activeElement !== document.body) return
      const at = before?.isConnected ? before : document.getElementById('content')
      if (at instanceof HTMLElement) at.focus()
    }
    return () => void setTimeout(giveBack)
  }, [before])
  return null
}
