import { type ReactNode, useEffect, useState } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export interface DialogProps {
  title: string
  open: boolean
  /** Omitted if the dialog `stays`. */
  close?: () => void
  /** No key or click closes the dialog, and the page beneath is hidden. */
  stays?: boolean
  children: ReactNode
}

/** A modal dialog: it traps the focus and restores it afterwards. Escape closes it. */
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
 * Restores the focus. React Aria does so in the next frame, when the page beneath may still be inert and cannot take it. If the element
 * is gone by then, for example the button of a removed row, the page gets the focus.
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
