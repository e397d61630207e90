import { displayText } from './display-text.ts'

/** How long the blob URL stays valid: the browser may still be reading it after the click. */
const REVOKE_AFTER_MS = 60_000

/** Saves a text as a file on the reader's device. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = displayText(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
