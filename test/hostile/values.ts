import fc from 'fast-check'
import type { Stock } from './stock.ts'

/** A JSON Schema from the description. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  required?: string[]
  properties?: Record<string, Schema>
  minimum?: number
  maximum?: number
}

export type Resolve = (ref: string) => Schema

/**
 * Values for a field: by its name if the description explains the field only in words, else by its schema.
 * @param name of the field, without the path to it
 */
function fitting(name: string, schema: Schema, stock: Stock, resolve: Resolve): fc.Arbitrary<unknown> {
  return byName(stock)[name] ?? bySchema(name, schema, stock, resolve)
}

function bySchema(name: string, schema: Schema, stock: Stock, resolve: Resolve): fc.Arbitrary<unknown> {
  const within = (part: Schema) => bySchema(name, part, stock, resolve)
  if (schema.$ref) return within(resolve(schema.$ref))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (choices) return fc.oneof(...choices.map(within))
  const type = [schema.type].flat().find((each) => each !== 'null')
  if (type === 'object') return objectOf(schema, stock, resolve)
  if (type === 'array') return fc.array(fitting(name, schema.items ?? {}, stock, resolve), { minLength: 1, maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 1, max: schema.maximum ?? 50 })
  if (type === 'number') return tenths(schema.minimum ?? 1, schema.maximum ?? 50)
  return schema.format === 'uuid' ? fc.uuid() : words
}

/** An object with all required fields, and some of the optional ones. */
export function objectOf(
  { properties = {}, required = [] }: Schema,
  stock: Stock,
  resolve: Resolve,
): fc.Arbitrary<Record<string, unknown>> {
  const parts = Object.entries(properties).map(([name, schema]) => [name, fitting(name, schema, stock, resolve)] as const)
  return fc.record(Object.fromEntries(parts), { requiredKeys: required }) as fc.Arbitrary<Record<string, unknown>>
}

const tenths = (min: number, max: number) => fc.integer({ min: Math.ceil(min * 10), max: Math.floor(max * 10) }).map((count) => count / 10)
const day = (year: number) =>
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 })).map((parts) => [year, ...parts].map(twoDigits).join('-'))
const twoDigits = (part: number) => String(part).padStart(2, '0')
const words = fc.lorem({ maxCount: 4 }).map((text) => text.slice(0, 40))

const street = fc.integer({ min: 100, max: 9_999_999 }).map((number) => `${number} Main Street, Frisco, TX 75034`)
const events = ['digest.sent', 'warning.issued', 'exposure.escalated', 'report.pdf_ready']

/** Names whose meaning no schema states. */
const byName = (stock: Stock): Record<string, fc.Arbitrary<unknown>> => ({
  address: street,
  window_start: fc.constantFrom(2019, 2024).chain(day),
  window_end: day(2025),
  // In every window that these two dates make.
  date_of_loss: fc.constant('2025-01-01'),
  from: day(2024),
  to: day(2025),
  date: fc.constantFrom('2025-05-28', '2024-02-29'),
  since: day(2024).map((date) => `${date}T06:00:00Z`),
  decided_at: day(2025).map((date) => `${date}T06:00:00Z`),
  // The archive keeps versions since the sample was imported, just now.
  as_of: fc.constant(new Date().toISOString()),
  radius_miles: tenths(1, 20),
  watch_radius_miles: tenths(0.5, 10),
  latitude: tenths(31, 35),
  longitude: tenths(-100, -95),
  geometry: star,
  place_ids: fc.uniqueArray(fc.constantFrom(...stock.place_ids), { minLength: 1, maxLength: 3 }),
  property_id: fc.constant(stock.kept.property),
  property: fc.constant(stock.kept.property),
  url: fc.constant(stock.receiver),
  events: fc.uniqueArray(fc.constantFrom(...events), { minLength: 1 }),
  event: fc.constantFrom(...events),
  phone: fc.constant('+1 972 555 0100'),
  email: fc.constant('ada@example.com'),
  search: fc.constantFrom('Moore', 'Moore, OK', 'Main Street'),
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.integer({ min: 0, max: 150 }),
})

/** A polygon around a point of Texas without a crossing: corners at growing bearings. */
const star: fc.Arbitrary<unknown> = fc
  .tuple(tenths(-100, -95), tenths(31, 35), fc.array(tenths(1, 3), { minLength: 3, maxLength: 40 }), fc.boolean())
  .map(([west, south, reaches, wrapped]) => {
    const ring = reaches.map((reach, at) => {
      const bearing = (2 * Math.PI * at) / reaches.length
      return [west + (reach / 10) * Math.cos(bearing), south + (reach / 10) * Math.sin(bearing)]
    })
    const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    return wrapped ? { type: 'Feature', properties: {}, geometry } : geometry
  })

/** A territory states its location in one of three ways. */
export function territoryOf(schema: Schema, stock: Stock, resolve: Resolve): fc.Arbitrary<Record<string, unknown>> {
  const { geometry, address, latitude, longitude, radius_miles, place_ids, kind, ...properties } = schema.properties ?? {}
  const value = objectOf({ ...schema, properties, required: (schema.required ?? []).filter((name) => name !== 'kind') }, stock, resolve)
  const values = byName(stock)
  const part = (kind: string, ...names: string[]) =>
    fc.record({ kind: fc.constant(kind), ...Object.fromEntries(names.map((name) => [name, values[name] as fc.Arbitrary<unknown>])) })
  const definitions = fc.oneof(
    part('polygon', 'geometry'),
    part('radius', 'latitude', 'longitude', 'radius_miles'),
    part('radius', 'address', 'radius_miles'),
    part('places', 'place_ids', 'radius_miles'),
  )
  return fc
    .tuple(value, schema.required?.includes('kind') ? definitions : fc.oneof(definitions, fc.constant({})))
    .map(([a, b]) => ({ ...a, ...b }))
}

/** A box in which a storm day can be played. */
export const box = fc
  .tuple(tenths(-110, -90), tenths(28, 40), tenths(0.1, 6), tenths(0.1, 6))
  .map(([west, south, wide, high]) => ({ west, east: west + wide, south, north: south + high }))

/** A tile that exists. */
export const tileAddress = fc
  .integer({ min: 0, max: 14 })
  .chain((z) => fc.tuple(fc.constant(z), fc.nat(2 ** z - 1), fc.nat(2 ** z - 1)))
  .map(([z, x, y]) => ({ z, x, y }))
