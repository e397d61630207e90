import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Place } from './places.ts'

/** How long after `g` the second key counts. */
const SEQUENCE_MS = 1200

/** Whether the target is a field that takes what is typed. */
export const writes = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Ctrl K opens the palette; g and a letter go to a place, unless somebody is typing in a field. */
export function useKeys({ openPalette, places }: { openPalette: () => void; places: readonly Place[] }): void {
  const navigate = useNavigate()
  const went = useRef(0)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return openPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || writes(event.target)) return
      const place = Date.now() - went.current < SEQUENCE_MS ? places.find(({ key }) => key === event.key) : undefined
      went.current = event.key === 'g' ? Date.now() : 0
      if (!place) return
      event.preventDefault()
      navigate({ to: place.to })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [navigate, openPalette, places])
}
