import { useNavigate } from '@tanstack/react-router'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Input } from 'react-aria-components/Input'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { TextField } from 'react-aria-components/TextField'
import type { NavigationItem } from './places.ts'

/** The palette: goes to any page by a few letters of its name. */
export function Palette({ close, places: items }: { close: () => void; places: readonly NavigationItem[] }) {
  const navigate = useNavigate()
  const { contains } = useFilter({ sensitivity: 'base' })
  const go = (to: string) => {
    close()
    navigate({ to })
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && close()} isDismissable>
      <Modal className="dialog palette">
        <Dialog aria-label="Go to">
          <Autocomplete filter={contains}>
            <TextField aria-label="Where to" className="field" autoFocus>
              <Input placeholder="Where to?" />
            </TextField>
            <Menu
              items={[...items]}
              onAction={(key) => go(String(key))}
              aria-label="Pages"
              renderEmptyState={() => <p className="soft">No page matches.</p>}
            >
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
