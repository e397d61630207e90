import { Refusal } from '#domain/kernel/refusal.ts'
import type { ContactView, PropertyView, PropertyWithContactsView } from '#domain/properties/view.ts'
import type { Contact, Property } from '#generated/prisma/client.ts'

/** The columns that a property's view needs. */
export const propertyColumns = `
  p.id, p.label, p.reference, p.kind, p.status, p.query, p.street, p.city, p.state, p.postal_code, p.county, p.county_fips,
  p.latitude, p.longitude, p.precision, p.located, p.failure_reason, p.failure_message, p.watch_radius_miles, p.tags, p.notes, p.last_activity_on, p.created_at, p.updated_at`

/** A property's contacts as a list: the primary one first, then the oldest. */
export const contactsColumn = `
  (SELECT coalesce(json_agg(json_build_object(
            'id', c.id, 'property_id', c.property_id, 'name', c.name, 'role', c.role, 'company', c.company, 'phone', c.phone,
            'email', c.email, 'notes', c.notes, 'primary', c."primary", 'source', c.source,
            'created_at', c.created_at, 'updated_at', c.updated_at) ORDER BY c."primary" DESC, c.id), '[]')
     FROM contacts c WHERE c.team_id = p.team_id AND c.property_id = p.id) AS contacts`

type Shown = Pick<
  Property,
  | 'id'
  | 'label'
  | 'reference'
  | 'kind'
  | 'status'
  | 'query'
  | 'street'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'county'
  | 'county_fips'
  | 'latitude'
  | 'longitude'
  | 'precision'
  | 'located'
  | 'failure_reason'
  | 'failure_message'
  | 'watch_radius_miles'
  | 'tags'
  | 'notes'
  | 'created_at'
  | 'updated_at'
>

/** A row as the pool reads it, with dates as text, or as Prisma reads it. */
export interface PropertyRow extends Shown {
  last_activity_on: string | Date | null
}

/** A contact's row as the pool, Prisma or a JSON list returns it. */
export interface ContactRow extends Omit<Contact, 'team_id' | 'created_at' | 'updated_at'> {
  created_at: Date | string
  updated_at: Date | string
}

/** A property as lists of the API show it, without its contacts. */
export function propertyView(row: PropertyRow, base_url: string): PropertyView {
  const self = `${base_url}/api/v1/properties/${row.id}`
  return {
    id: row.id,
    object: 'property',
    name: nameOf(row),
    label: row.label,
    reference: row.reference,
    kind: row.kind,
    status: row.status,
    address: {
      query: row.query,
      street: row.street,
      city: row.city,
      state: row.state,
      postal_code: row.postal_code,
      county: row.county,
      county_fips: row.county_fips,
      latitude: row.latitude,
      longitude: row.longitude,
      located: row.located,
      precision: row.precision,
      failure_reason: row.failure_reason,
      failure_message: row.failure_message,
    },
    watch_radius_miles: row.watch_radius_miles,
    tags: row.tags,
    notes: row.notes,
    last_activity_on: row.last_activity_on instanceof Date ? row.last_activity_on.toISOString().slice(0, 10) : row.last_activity_on,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    links: { self, exposures: `${self}/exposures`, reports: `${base_url}/api/v1/reports?property=${row.id}` },
  }
}

/** A property as the API shows it alone. */
export function withContactsView(row: PropertyRow & { contacts: ContactRow[] }, base_url: string): PropertyWithContactsView {
  return { ...propertyView(row, base_url), contacts: row.contacts.map((contact) => contactView(contact, base_url)) }
}

/** A contact of a property as the API shows it. */
export function contactView(row: ContactRow, base_url: string): ContactView {
  return {
    id: row.id,
    object: 'contact',
    name: row.name,
    role: row.role,
    company: row.company,
    phone: row.phone,
    email: row.email,
    notes: row.notes,
    primary: row.primary,
    source: row.source,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    links: { property: `${base_url}/api/v1/properties/${row.property_id}` },
  }
}

/** Returns a property's name: its label, else its street, else the address as sent. */
export function nameOf({ label, street, query }: Pick<Property, 'label' | 'street' | 'query'>): string {
  return label ?? street ?? query
}

/** The same error for an unknown id, another team's id and a value that is not a uuid. */
export function noSuchProperty(): Refusal {
  return new Refusal('not_found', 'There is no property with this id.')
}

export function noSuchContact(): Refusal {
  return new Refusal('not_found', 'There is no contact with this id.')
}
