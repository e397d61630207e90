import type { ContactRole, ContactSource, LocationFailure, PlacePrecision, PropertyKind, WatchStatus } from '#domain/closed-sets.ts'
/** A property as every interface shows it: the contract's keys, timestamps as text ending in Z. */
export interface PropertyView {
  id: string
  object: 'property'
  /** The label, else the street, else the address as sent. */
  name: string
  label: string | null
  reference: string | null
  kind: PropertyKind
  status: WatchStatus
  address: {
    /** The address as sent. */
    query: string
    street: string | null
    city: string | null
    state: string | null
    postal_code: string | null
    county: string | null
    county_fips: string | null
    latitude: number | null
    longitude: number | null
    located: boolean
    /** How exactly it is located; null until then. */
    precision: PlacePrecision | null
    /** Why it is not located; null if it is, and before the first try. */
    failure_reason: LocationFailure | null
    /** The reason as a sentence. */
    failure_message: string | null
  }
  watch_radius_miles: number
  tags: string[]
  notes: string | null
  /** YYYY-MM-DD of its newest exposure. */
  last_activity_on: string | null
  created_at: string
  updated_at: string
  links: { self: string; exposures: string; reports: string }
}

/** A property as the retrieval of a single one returns it. */
export interface PropertyWithContactsView extends PropertyView {
  /** The primary one first, then the oldest. */
  contacts: ContactView[]
}

/** A person to contact about a property. Personal data: shown with the property and in its events, nowhere else. */
export interface ContactView {
  id: number
  object: 'contact'
  name: string
  role: ContactRole
  company: string | null
  phone: string | null
  email: string | null
  notes: string | null
  primary: boolean
  source: ContactSource
  created_at: string
  updated_at: string
  links: { property: string }
}

export const propertyRowStatuses = ['created', 'duplicate', 'rejected', 'skipped'] as const
export type PropertyRowStatus = (typeof propertyRowStatuses)[number]

export interface PropertyBatchView {
  object: 'property_batch'
  submitted: number
  created: number
  duplicate: number
  rejected: number
  skipped: number
  plan_limit_reached: boolean
  /** The plan with room for the skipped rows; null if none were skipped, or no plan has room. */
  required_plan: string | null
  results: PropertyBatchRowView[]
}

export interface PropertyBatchRowView {
  /** 0, 1, 2 ... as submitted. */
  index: number
  /** As sent; null if the row has none. */
  address: string | null
  status: PropertyRowStatus
  message: string | null
  /** The new property, or the existing one at the address. */
  property: PropertyView | null
}
