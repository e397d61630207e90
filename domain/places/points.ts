import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import { countyNear } from '#domain/geo/counties.ts'
import { roundCoordinate } from '#domain/geo/measure.ts'
import { type State, stateByCode, stateByName } from '#domain/geo/states.ts'
import { isPrintable } from '#domain/kernel/printable.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { readAddress, tidyCase, type WrittenAddress } from '#domain/places/address.ts'
import { conflictWithPoint } from '#domain/places/conflict.ts'
import { addressKey } from '#domain/places/fold.ts'
import { type PointRow, readPointRows } from '#domain/places/point-rows.ts'
import { zipOf } from '#domain/places/zips.ts'

export interface PointImport {
  read: number
  written: number
  refused: number
  /** The first refused rows, by number from 1, each with its reason. */
  faults: PointFault[]
}

interface PointFault {
  row: number
  reason: string
}

/** Called with the progress of an import, and with every rejected row. */
export interface PointListeners {
  on_progress?(so_far: PointImport): void
  on_refused?(fault: PointFault): void
}

/** Rows of one statement: enough that round trips do not matter, few enough that memory does not matter. */
const BATCH = 1000
const FAULTS_KEPT = 20

/**
 * Imports the operator's address points: OpenAddresses CSV (LON, LAT, NUMBER, STREET, CITY, REGION, POSTCODE), or GeoJSON
 * points with the same names in lower case, as a FeatureCollection or one feature a line. A later row of the same address wins.
 * Units are dropped: a point is a building.
 * @throws Refusal validation_failed on `file` if a row breaks the format (with its number), or if no row can be used
 */
export async function importAddressPoints(
  app: Pick<App, 'pool'>,
  stream: Readable,
  { on_progress, on_refused }: PointListeners = {},
): Promise<PointImport> {
  const summary: PointImport = { read: 0, written: 0, refused: 0, faults: [] }
  let batch = new Map<string, AddressPoint>()
  for await (const row of readPointRows(stream)) {
    summary.read++
    const point = typeof row === 'string' ? row : pointOf(row)
    if (typeof point === 'string') {
      summary.refused++
      const fault = { row: summary.read, reason: point }
      if (summary.faults.length < FAULTS_KEPT) summary.faults.push(fault)
      on_refused?.(fault)
      continue
    }
    batch.set(point.address_key, point)
    if (batch.size < BATCH) continue
    summary.written += await writePoints(app.pool, [...batch.values()])
    batch = new Map()
    on_progress?.(summary)
  }
  summary.written += await writePoints(app.pool, [...batch.values()])
  if (summary.read === summary.refused) refuseField('file', unusableText(summary))
  return summary
}

function unusableText({ read, faults: [first] }: PointImport): string {
  if (!first) return 'The file contains no address points: it is neither CSV with a header nor GeoJSON with points.'
  return `No row of this file can be used. Of ${read} read, the first is row ${first.row}: ${first.reason}.`
}

/** Finds the address points of a written address: by street and town, or the ZIP code's town, without those of another ZIP code. */
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
    // The column compares byte by byte, and '}' is the byte after '|': the range covers every key with this prefix.
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
  /** Empty if the source has none. */
  postal_code: string
  latitude: number
  longitude: number
}

/** Returns a row as stored, or the reason why it is refused. */
function pointOf(row: PointRow): AddressPoint | string {
  const texts = [row.number, row.street, row.city, row.region, row.postcode]
  if (!texts.every(isReadable)) return 'it contains characters that no address has'
  if (texts.some((text) => text.length > TEXT_MAX)) return 'it is too long for an address'
  const latitude = Number(row.latitude || Number.NaN)
  const longitude = Number(row.longitude || Number.NaN)
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return 'it has no coordinates'
  if (!row.number || !row.street) return 'it has no house number or no street'
  const postal_code = row.postcode.match(/^\d{5}/)?.[0] ?? ''
  const state = stateOf(row.region)
  const county = countyNear(latitude, longitude, state ? OFFSHORE_MILES.named : OFFSHORE_MILES.unnamed)
  if (!county) return 'it lies outside the United States'
  const point = { latitude, longitude, by: 'its point', city: null, state: county.state, postal_code: null }
  const conflict = conflictWithPoint({ city: null, state, postal_code: postal_code || null }, point)
  if (conflict) return conflict
  const code = state?.code ?? county.state
  const city = row.city || zipOf(postal_code)?.city
  if (!city) return 'it has neither a town nor a known ZIP code'
  const { building } = readAddress(`${row.number} ${row.street}, ${city}, ${code}`)
  const street = building ?? tidyCase(`${row.number} ${row.street}`)
  const place = {
    street,
    city: tidyCase(city),
    state: code,
    postal_code,
    latitude: roundCoordinate(latitude),
    longitude: roundCoordinate(longitude),
  }
  return { ...place, address_key: addressKey(place) }
}

/** Printable, and without the replacement character of invalid UTF-8. */
const isReadable = (text: string) => isPrintable(text) && !text.includes('\ufffd')
/** Maximum characters of each part; the longest street of the country has some sixty, and an index key can have 2,700 bytes. */
const TEXT_MAX = 200

/** Miles that a point may be outside the coarse county boundaries, if its row names a state and if not. */
const OFFSHORE_MILES = { named: 10, unnamed: 1 }

/** Returns the state that a row names. Many files have it only in their name; then the state of the point is used. */
function stateOf(region: string): State | null {
  return stateByCode(region) ?? stateByName(region)
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
