import { objectOf, type Schemas } from '../service.ts'
import type { Layout, Listing } from './listing.ts'
import { type Line, sheetOf, wrap } from './text.ts'

type Property = Schemas['PropertyWithContacts']

const STATUSES = Object.keys({ watching: 1, paused: 1, archived: 1 } satisfies Record<Property['status'], 1>)

/** Zoom of the map at which the property and what is a few miles around it are in view. */
const PLACE_ZOOM = 12

export const properties: Listing<Schemas['Property']> = {
  path: '/properties',
  columns: [
    { title: 'status', width: 8, of: (row) => row.status },
    { title: 'name', width: 27, of: (row) => row.name },
    { title: 'mi', width: 3, of: (row) => row.watch_radius_miles },
    { title: 'last', width: 10, of: (row) => row.last_activity_on },
    { title: 'address', width: 0, of: (row) => row.address.query },
  ],
  filters: (search) => (STATUSES.includes(search) ? { status: search } : search ? { search } : {}),
  defaultLabel: '',
  searchHint: 'part of a name, address or reference, or watching, paused, archived',
  banner: async () => [],
  acts: {},
  open: async (connection, { id }) => layoutOf(await objectOf<Property>(connection, { method: 'GET', path: `/properties/${id}` })),
  detailsUrl: ({ url }, { address: { latitude, longitude } }) =>
    latitude === null || longitude === null ? `${url}/map` : `${url}/map#at=${latitude},${longitude},${PLACE_ZOOM}`,
}

const layoutOf =
  ({ object: _, name, label: __, status, address, contacts, links: ___, ...rest }: Property): Layout =>
  (width) => {
    const lines: Line[] = [
      { text: name, tone: 'title' },
      { text: `${address.query}: ${status}, within ${rest.watch_radius_miles} mi` },
      ...(address.failure_message ? [{ text: address.failure_message, tone: 'alarm' as const }] : []),
      { text: '' },
      ...sheetOf({ ...rest, address }),
      { text: '' },
      { text: contacts.length === 0 ? 'No contacts' : 'Contacts', tone: 'title' },
      ...contacts.map(contactLine),
    ]
    return lines.flatMap((line) => wrap(line, width))
  }

const contactLine = ({ name, role, company, phone, email, primary }: Schemas['Contact']): Line => ({
  text: [`${name} (${role}${primary ? ', primary' : ''})`, company, phone, email].filter(Boolean).join(', '),
})
