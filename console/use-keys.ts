import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Place } from './places.ts'

/** How long after `g` the second key counts. */
const SEQUENCE_MS = 1200

/** Whether the target is a field that takes what is typed. */
export const writes = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Whether a dialog covers the page, which then takes no shortcuts. */
const isCovered = () => document.querySelector('[role="dialog"], dialog[open]') !== null

/**
 * Runs the action of a key of the page, unless a dialog covers it.
 * @param takes whether the target handles the key itself
 */
export function usePageKeys(actions: Record<string, () => void>, takes: (target: EventTarget | null, key: string) => boolean): void {
  useEffect(() => {
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

/** Ctrl K opens the palette; g and a letter go to a place, unless somebody is typing in a field or a dialog covers the page. */
export function useKeys({ openPalette, places }: { openPalette: () => void; places: readonly Place[] }): void {
  const navigate = useNavigate()
  const went = useRef(0)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (!isCovered()) openPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || writes(event.target) || isCovered()) return
      const place = Date.now() - went.current < SEQUENCE_MS ? places.find(({ key }) => key === event.key) : undefined
      went.current = event.key === 'g' ? Date.now() : 0
      if (!place) return
      event.preventDefault()
      navigate({ to: place.to })
    }
    // Captured, to be earlier than the keys of the page: the letter after g is none of them.
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [navigate, openPalette, places])
}
