import type { Team } from './api/session.ts'
import type { IconName } from './parts/icon.tsx'

/** A page that can be reached from the palette, with `g` and its key, and from the frame. */
export interface NavigationItem {
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
  icon: IconName
  /** Heading above this place and those after it. */
  heading?: string
  ownersOnly?: true
  /** Hidden from viewers. */
  writersOnly?: true
  /** Shown only in the palette. */
  paletteOnly?: true
}

const navigationItems: readonly NavigationItem[] = [
  { to: '/inbox', label: 'Inbox', key: 'i', icon: 'inbox' },
  { to: '/reports', label: 'Reports', key: 'r', icon: 'reports' },
  { to: '/reports/new', label: 'New report', key: 'n', icon: 'reports', writersOnly: true, paletteOnly: true },
  { to: '/storms', label: 'Storms', key: 's', icon: 'storms' },
  { to: '/properties', label: 'Properties', key: 'p', icon: 'properties' },
  { to: '/territories', label: 'Territories', key: 't', icon: 'territories' },
  { to: '/destinations', label: 'Destinations', key: 'd', icon: 'destinations' },
  { to: '/alerts', label: 'Alerts', key: 'm', icon: 'alerts' },
  { to: '/coverage', label: 'Coverage', key: 'c', icon: 'coverage' },
  { to: '/people', label: 'People', key: 'e', icon: 'people', heading: 'Team', ownersOnly: true },
  { to: '/tokens', label: 'Tokens', key: 'k', icon: 'tokens', ownersOnly: true },
  { to: '/letterhead', label: 'Letterhead', key: 'h', icon: 'letterhead', ownersOnly: true },
  { to: '/allowed-sites', label: 'Allowed sites', key: 'o', icon: 'sites', ownersOnly: true },
  { to: '/audit-log', label: 'Audit log', key: 'l', icon: 'log', ownersOnly: true },
  { to: '/account', label: 'Account', key: 'a', icon: 'account' },
]

/** The places that a role may see. */
export function navigationFor(role: Team['role']): readonly NavigationItem[] {
  return navigationItems.filter(({ ownersOnly, writersOnly }) => (!ownersOnly || role === 'owner') && (!writersOnly || role !== 'viewer'))
}
