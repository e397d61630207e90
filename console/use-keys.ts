import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import type { NavigationItem } from './places.ts'

/** How long after `g` the second key counts. */
const SEQUENCE_MS = 1200

/** Whether the target is a field that takes what is typed. A checkbox takes only the space bar. */
export const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))

/** Whether a dialog covers the page, which then takes no shortcuts. */
export const isCovered = () => document.querySelector('[role=dialog], dialog[open]') !== null

/** Ctrl K opens the palette; g and a letter go to a place, unless somebody is typing in a field or a dialog covers the page. */
export function useKeys({ openPalette, places }: { openPalette: () => void; places: readonly NavigationItem[] }): void {
  const navigate = useNavigate()
  const lastG = useRef(Number.NEGATIVE_INFINITY)
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (!isCovered()) openPalette()
        return
      }
      if (isCommand || event.altKey || isEditable(event.target) || isCovered()) return
      // The time of the press, not of its handling: a busy page would take the letter after g for a key of its own.
      const isSecond = event.timeStamp - lastG.current < SEQUENCE_MS
      lastG.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      // The page does not get this key, even if it leads nowhere. Enter and the space bar still press what has the focus.
      if (isSecond && event.key.length === 1 && event.key !== ' ') event.stopImmediatePropagation()
      const place = isSecond ? places.find(({ key }) => key === event.key) : undefined
      if (!place) return
      event.preventDefault()
      navigate({ to: place.to })
    }
    // Captured, to be earlier than the keys of the page: the letter after g is none of them.
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [navigate, openPalette, places])
}
