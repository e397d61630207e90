import { call } from '../service.ts'
import type { Layout, Listing } from './listing.ts'
import type { Row } from './rows.ts'
import { type Line, sheetOf, wrap } from './text.ts'

const STATUSES = ['watching', 'paused', 'archived']

export const properties: Listing = {
  path: '/properties',
  columns: [
    { title: 'status', width: 8, of: (row) => row.status },
    { title: 'name', width: 27, of: (row) => row.name },
    { title: 'mi', width: 3, of: (row) => row.watch_radius_miles },
    { title: 'last', width: 10, of: (row) => row.last_activity_on },
    { title: 'address', width: 0, of: (row) => row.address.query },
  ],
  filters: (search) => (STATUSES.includes(search) ? { status: search } : search ? { search } : {}),
  usual: '',
  searches: 'part of a name, address or reference, or watching, paused, archived',
  banner: async () => [],
  acts: {},
  open: async (connection, { id }) =>
    layoutOf(((await call(connection, { method: 'GET', path: `/properties/${id}` })).body as { data: Row }).data),
  pageOf: ({ url }) => `${url}/map`,
}

const layoutOf =
  ({ object: _, name, label: __, status, address, contacts, links: ___, ...rest }: Row): Layout =>
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

const contactLine = ({ name, role, company, phone, email, primary }: Row): Line => ({
  text: [`${name} (${role}${primary ? ', primary' : ''})`, company, phone, email].filter(Boolean).join(', '),
})
