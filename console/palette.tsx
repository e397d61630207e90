import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Autocomplete, Dialog, Input, Menu, MenuItem, Modal, ModalOverlay, TextField, useFilter } from 'react-aria-components'
import { type Place, places } from './places.ts'

/** A second key belongs to `g` for as long. */
const SEQUENCE_MS = 1200

const writes = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Ctrl K opens the palette; g and a letter go to a place, where nobody is writing. */
export function useKeys({ openPalette }: { openPalette: () => void }): void {
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
  }, [navigate, openPalette])
}

/** Goes to any place by a few letters of its name. */
export function Palette({ open, close, places: shown }: { open: boolean; close: () => void; places: readonly Place[] }) {
  const navigate = useNavigate()
  const { contains } = useFilter({ sensitivity: 'base' })
  const go = (to: string) => {
    close()
    navigate({ to })
  }
  return (
    <ModalOverlay className="veil" isOpen={open} onOpenChange={(stays) => !stays && close()} isDismissable>
      <Modal className="dialog palette">
        <Dialog aria-label="Go to">
          <Autocomplete filter={contains}>
            <TextField aria-label="Where to" className="field" autoFocus>
              <Input placeholder="Where to?" />
            </TextField>
            <Menu items={[...shown]} onAction={(key) => go(String(key))} aria-label="Places">
              {({ to, label, key }) => (
                <MenuItem id={to} textValue={label}>
                  <span>{label}</span> <kbd>g {key}</kbd>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
