import { useLayoutEffect } from 'react'
import { isCovered, isEditable } from '../use-keys.ts'

/**
 * Runs the action of a key of the page, unless a dialog covers it.
 * @param takes whether the target handles the key itself: by default, a field that is written in
 */
export function usePageKeys(
  actions: Record<string, () => void>,
  takes: (target: EventTarget | null, key: string) => boolean = isEditable,
): void {
  // Rows that are shown take keys from their first frame: an effect after it could come after the first key.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = actions[event.key]
      const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takes(event.target, event.key)
      if (!action || isTaken || isCovered()) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}
