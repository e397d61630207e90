import { exits, isFailure } from '../failure.ts'
import { bytesOutsideApi, call, objectOf, page, type Schemas } from '../service.ts'
import type { Connection } from '../settings.ts'
import type { Bounds, Cell, Point } from './map.ts'
import type { Swath } from './swath-map.ts'

/** A storm day around a watched place. */
export interface Day {
  date: string
  place: Point & { name: string }
  moments: { at: string; cells: Cell[] }[]
  /** Areas of the largest hail that radar estimated on the day, by bands. */
  swaths: Swath[]
  context: {
    reports: (Point & { at: string; type: string; magnitude_in: number | null })[]
    warnings: { label: string; issued: string; expires: string }[]
  }
  /** The hours whose largest estimates the single moment shows; null if moments are single times. */
  meta: {
    largest_of: { from: string; until: string } | null
    /** IANA time zone of the day; absent from earlier versions of the service. */
    timezone?: string
    /** Reports that name a county or a zone around the place; absent from earlier versions of the service. */
    reports_without_point?: number
  }
}

type Exposure = Schemas['Exposure']

/** Degrees read around the place: what the widest terminal shows. The service returns at most six degrees a side. */
const LATITUDE_REACH = 1.25
const LONGITUDE_REACH = 2.9

/**
 * Returns the day of the largest hail among the newest exposures, around its place.
 * @param date YYYY-MM-DD, or empty; a date without exposures is shown around the place of that day
 * @returns null if there are no exposures yet
 */
export async function readDay(connection: Connection, date: string): Promise<Day | null> {
  const exposure = (date && (await largest(connection, { from: date, to: date }))) || (await largest(connection, {}))
  if (!exposure) return null
  const place = { name: exposure.subject.name, ...(await pointOf(connection, exposure.subject)) }
  const box = {
    ...{ south: place.latitude - LATITUDE_REACH, north: place.latitude + LATITUDE_REACH },
    ...{ west: place.longitude - LONGITUDE_REACH, east: place.longitude + LONGITUDE_REACH },
  }
  const day = date || exposure.date
  const { body } = await call(connection, { method: 'GET', path: '/playback', query: { date: day, ...box } })
  return { ...(body as Pick<Day, 'date' | 'moments' | 'context' | 'meta'>), swaths: await readSwaths(connection, day, box), place }
}

/** Earlier versions of the service have no swaths. */
async function readSwaths(connection: Connection, day: string, { west, south, east, north }: Bounds): Promise<Swath[]> {
  try {
    const sides = [west, south, east, north].map((side) => side.toFixed(4))
    const collection = await bytesOutsideApi(connection, `/swaths/${day}.geojson?bbox=${sides.join()}`)
    return (JSON.parse(collection.toString()) as { features: Swath[] }).features
  } catch (fault) {
    if (isFailure(fault) && fault.exit_status === exits.not_found) return []
    throw fault
  }
}

async function largest(connection: Connection, days: { from?: string; to?: string }): Promise<Exposure | undefined> {
  const { data } = await page<Exposure>(connection, '/exposures', { kind: 'record', per_page: 100, ...days })
  const size = (row: Exposure) => row.largest_detected_in ?? row.largest_measured_in ?? 0
  // A property has a location; a territory has only its centre.
  const locationRank = (row: Exposure) => (row.subject.object === 'property' ? 1 : 0)
  return data.sort((one, other) => size(other) - size(one) || locationRank(other) - locationRank(one))[0]
}

async function pointOf(connection: Connection, { object, id }: Exposure['subject']): Promise<Point> {
  if (object === 'territory') {
    const { centre } = await objectOf<Schemas['Territory']>(connection, { method: 'GET', path: `/territories/${id}` })
    return { latitude: centre.latitude, longitude: centre.longitude }
  }
  const { address } = await objectOf<Schemas['Property']>(connection, { method: 'GET', path: `/properties/${id}` })
  // A property that is not located has no exposures.
  return { latitude: address.latitude ?? 0, longitude: address.longitude ?? 0 }
}
