import { type ReactNode, useEffect, useState } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export interface DialogProps {
  title: string
  open: boolean
  /** Omitted if the dialog `isBlocking`. */
  close?: () => void
  /** No key or click closes the dialog, and the page beneath is hidden. */
  isBlocking?: boolean
  /** It shows what cannot be shown again: no key or click beside it closes the dialog, only its own button. */
  hasSecret?: boolean
  /** No click beside the dialog closes it, which would lose what is written in it. */
  isForm?: boolean
  children: ReactNode
}

/** A modal dialog: it traps the focus and restores it afterwards. Escape closes it, unless it is blocking or has a secret. */
export function DialogWindow({ title, open, close, isBlocking = false, hasSecret = false, isForm = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className={isBlocking ? 'overlay opaque' : 'overlay'}
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && close?.()}
      isDismissable={!isBlocking && !hasSecret && !isForm}
      isKeyboardDismissDisabled={isBlocking || hasSecret}
    >
      <Modal className="dialog">
        <AriaDialog>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
          <RestoreFocus />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The element of the page that had the focus before the newest dialog, or before the dialog that it replaced. */
let focusOfPage: Element | null = null

/**
 * Restores the focus. React Aria does so in the next frame, when the page beneath may still be inert and cannot take it. If the element
 * is gone by then, the element that opened an earlier dialog gets the focus: a form is replaced by its outcome. If that is gone too, for
 * example the button of a removed row, the page gets it.
 */
function RestoreFocus() {
  const [previousFocus] = useState(() => document.activeElement)
  useEffect(() => {
    if (previousFocus !== document.body && !previousFocus?.closest('[role="dialog"]')) focusOfPage = previousFocus
    const restoreFocus = () => {
      if (document.activeElement !== document.body) return
      const target = [previousFocus, focusOfPage].find((one) => one?.isConnected) ?? document.getElementById('content')
      if (target instanceof HTMLElement) target.focus()
    }
    return () => void setTimeout(restoreFocus)
  }, [previousFocus])
  return null
}
