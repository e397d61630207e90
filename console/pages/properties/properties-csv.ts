import { csvOf } from '../../parts/csv.ts'
import { tagCell } from '../../parts/tag-cell.ts'
import type { FullProperty } from './property-filters.ts'

/**
 * The columns have the names that the import uses, so that an exported file can be imported again. Latitude and longitude are those that
 * the team sent: the import takes them for the exact place. Those that the service found, such as the centre of a ZIP code, have columns
 * that it skips.
 */
const columns: Record<string, (property: FullProperty) => string | number | null> = {
  label: ({ label }) => label,
  address: ({ address }) => address.query,
  reference: ({ reference }) => reference,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  watch_radius_miles: ({ watch_radius_miles }) => watch_radius_miles,
  tags: ({ tags }) => tagCell(tags),
  notes: ({ notes }) => notes,
  latitude: ({ sent_coordinates }) => sent_coordinates?.latitude ?? null,
  longitude: ({ sent_coordinates }) => sent_coordinates?.longitude ?? null,
  located_latitude: ({ address }) => address.latitude,
  located_longitude: ({ address }) => address.longitude,
  located_precision: ({ address }) => address.precision,
  last_storm: ({ last_activity_on }) => last_activity_on,
  property: ({ id }) => id,
}

/** Returns properties as CSV, one row each. */
export function propertiesCsv(properties: readonly FullProperty[]): string {
  return csvOf(
    Object.keys(columns),
    properties.map((property) => Object.values(columns).map((cell) => cell(property))),
  )
}
