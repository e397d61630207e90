import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import type { AddressMatch } from '#domain/engines/geocoder.ts'
import { countyNear } from '#domain/geo/counties.ts'
import { roundCoordinate } from '#domain/geo/measure.ts'
import { stateByCode, stateByName } from '#domain/geo/states.ts'
import { readAddress, tidyCase, type WrittenAddress } from '#domain/places/address.ts'
import { addressKey } from '#domain/places/fold.ts'
import { type PointRow, readPointRows } from '#domain/places/point-rows.ts'
import { zipOf } from '#domain/places/zips.ts'

export interface PointImport {
  read: number
  written: number
  refused: number
  /** The first refused rows, by number from 1, each with its reason. */
  faults: { row: number; reason: string }[]
}

/** Rows of one statement: large enough that round trips do not count, small enough to stay out of sight in memory. */
const BATCH = 1000
const FAULTS_KEPT = 20

/**
 * Imports address points of one's own: OpenAddresses CSV (LON, LAT, NUMBER, STREET, CITY, REGION, POSTCODE), or GeoJSON
 * points with the same names in lower case, as a FeatureCollection or a feature a line. A later row of the same address wins.
 * Units are left out: a point is a building.
 */
export async function importAddressPoints(app: Pick<App, 'pool'>, stream: Readable): Promise<PointImport> {
  const done: PointImport = { read: 0, written: 0, refused: 0, faults: [] }
  let batch = new Map<string, AddressPoint>()
  for await (const row of readPointRows(stream)) {
    done.read++
    const point = typeof row === 'string' ? row : pointOf(row)
    if (typeof point === 'string') {
      done.refused++
      if (done.faults.length < FAULTS_KEPT) done.faults.push({ row: done.read, reason: point })
      continue
    }
    batch.set(point.address_key, point)
    if (batch.size < BATCH) continue
    done.written += await writePoints(app.pool, [...batch.values()])
    batch = new Map()
  }
  done.written += await writePoints(app.pool, [...batch.values()])
  return done
}

/** Address points under the address as written: its street and town, or the town of its ZIP; those of another ZIP left out. */
export async function findAddressPoints(
  pool: pg.Pool,
  { building, numbered, city, state, postal_code }: WrittenAddress,
): Promise<AddressMatch[]> {
  if (!building || !numbered) return []
  const zip = postal_code ? zipOf(postal_code) : null
  const code = state?.code ?? zip?.state
  if (!code) return []
  const towns = [...new Set([city, zip?.city].filter((town) => town != null))]
  const { rows } = await pool.query<AddressPoint>({
    name: 'address-points',
    // The column is compared byte by byte: '}' follows the '|' that ends the key's beginning.
    text: `SELECT p.street, p.city, p.state, p.postal_code, p.latitude, p.longitude
           FROM unnest($1::text[]) AS key
           JOIN address_points p ON p.address_key >= key || '|' AND p.address_key < key || '}'
           ORDER BY p.address_key LIMIT 10`,
    values: [towns.map((town) => addressKey({ street: building, city: town, state: code, postal_code: null }).slice(0, -1))],
  })
  return rows
    .filter((row) => !row.postal_code || !postal_code || row.postal_code === postal_code)
    .map((row) => ({ ...row, postal_code: row.postal_code || postal_code, county_fips: null, precision: 'point', in_us: true }))
}

interface AddressPoint {
  address_key: string
  street: string
  city: string
  state: string
  /** Empty where the source has none. */
  postal_code: string
  latitude: number
  longitude: number
}

/** A row as it is kept, or why it cannot be. */
function pointOf(row: PointRow): AddressPoint | string {
  const latitude = Number(row.latitude || Number.NaN)
  const longitude = Number(row.longitude || Number.NaN)
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return 'it has no coordinates'
  if (!row.number || !row.street) return 'it has no house number or no street'
  const postal_code = row.postcode.match(/^\d{5}/)?.[0] ?? ''
  const state = stateOf(row.region, latitude, longitude)
  const city = row.city || zipOf(postal_code)?.city
  if (!state) return 'it lies outside the United States'
  if (!city) return 'it has neither a town nor a known ZIP code'
  const { building } = readAddress(`${row.number} ${row.street}, ${city}, ${state}`)
  const street = building ?? tidyCase(`${row.number} ${row.street}`)
  const place = {
    street,
    city: tidyCase(city),
    state,
    postal_code,
    latitude: roundCoordinate(latitude),
    longitude: roundCoordinate(longitude),
  }
  return { ...place, address_key: addressKey(place) }
}

/** The state it names, else the one that it lies in: many files leave it to their name. */
function stateOf(region: string, latitude: number, longitude: number): string | null {
  return (stateByCode(region) ?? stateByName(region))?.code ?? countyNear(latitude, longitude, 1)?.state ?? null
}

async function writePoints(pool: pg.Pool, points: AddressPoint[]): Promise<number> {
  if (points.length === 0) return 0
  const column = <Key extends keyof AddressPoint>(key: Key) => points.map((point) => point[key])
  const { rowCount } = await pool.query(
    `INSERT INTO address_points (address_key, street, city, state, postal_code, latitude, longitude)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[])
     ON CONFLICT (address_key) DO UPDATE SET street = EXCLUDED.street, city = EXCLUDED.city, state = EXCLUDED.state,
       postal_code = EXCLUDED.postal_code, latitude = EXCLUDED.latitude, longitude = EXCLUDED.longitude`,
    [
      column('address_key'),
      column('street'),
      column('city'),
      column('state'),
      column('postal_code'),
      column('latitude'),
      column('longitude'),
    ],
  )
  return rowCount ?? 0
}
