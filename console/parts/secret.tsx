import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'

/** A secret or a link that is shown only once, with a button that copies it. Says here whether it did: a dialog hides the notices of the page. */
export function Secret({ text }: { text: string }) {
  const shown = useRef<HTMLElement>(null)
  const [message, setMessage] = useState('')
  // The browser's Back, a swipe on a phone, does not lose it either.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: false })
  const copy = async () => {
    // Emptied first, so that a screen reader announces the same words again.
    setMessage('')
    const isCopied = await copyText(text)
    if (!isCopied && shown.current) getSelection()?.selectAllChildren(shown.current)
    setMessage(isCopied ? 'Copied.' : 'The browser did not allow copying. The text is selected: copy it with Ctrl+C, ⌘C or its menu.')
  }
  return (
    <>
      <code className="secret" ref={shown}>
        {text}
      </code>
      <div className="row apart-above">
        <Button onPress={copy}>Copy</Button>
        <span role="status">{message}</span>
      </div>
    </>
  )
}
