import type { Team } from './api/session.ts'

/** A page that one can go to, by the palette, by `g` and its key, and from the frame. */
export interface Place {
  to:
    | '/inbox'
    | '/reports'
    | '/reports/new'
    | '/storms'
    | '/properties'
    | '/territories'
    | '/destinations'
    | '/alerts'
    | '/coverage'
    | '/people'
    | '/tokens'
    | '/letterhead'
    | '/allowed-sites'
    | '/audit-log'
    | '/account'
  label: string
  key: string
  owners?: true
  /** Named in the palette alone. */
  action?: true
}

export const places: readonly Place[] = [
  { to: '/inbox', label: 'Inbox', key: 'i' },
  { to: '/reports', label: 'Reports', key: 'r' },
  { to: '/reports/new', label: 'New report', key: 'n', action: true },
  { to: '/storms', label: 'Storms', key: 's' },
  { to: '/properties', label: 'Properties', key: 'p' },
  { to: '/territories', label: 'Territories', key: 't' },
  { to: '/destinations', label: 'Destinations', key: 'd' },
  { to: '/alerts', label: 'Alerts', key: 'm' },
  { to: '/coverage', label: 'Coverage', key: 'c' },
  { to: '/people', label: 'People', key: 'e', owners: true },
  { to: '/tokens', label: 'Tokens', key: 'k', owners: true },
  { to: '/letterhead', label: 'Letterhead', key: 'h', owners: true },
  { to: '/allowed-sites', label: 'Allowed sites', key: 'o', owners: true },
  { to: '/audit-log', label: 'Audit log', key: 'l', owners: true },
  { to: '/account', label: 'Account', key: 'a' },
]

/** Those of a role, without what is an action and no place. */
export function placesFor(role: Team['role']): readonly Place[] {
  return places.filter(({ owners, action }) => !action && (!owners || role === 'owner'))
}
