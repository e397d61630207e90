import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { inches } from '#domain/archive/radar/frame.ts'
import { type PlacePrecision, type WatchSubject, watchSubjects } from '#domain/closed-sets.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { checkDays, date, number, oneOf, wholeNumber } from '#domain/kernel/fields.ts'
import { type Form, optional, preset, readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import { offsetOf, pagingForm } from '#domain/kernel/pagination.ts'
import { present } from '#domain/kernel/present.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { blocksOfDay, citationsOf } from '#domain/maps/day-blocks.ts'
import {
  blocksOf,
  findPlacesInSwaths,
  type PlaceInSwath,
  placesInSwaths,
  readSwathWatch,
  type SwathWatch,
} from '#domain/maps/swath-places.ts'
import { swathBandOf } from '#domain/maps/swaths.ts'
import type { RecordSource } from '#domain/weather/sources.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'

/** Counts of the watched places in one band of a day's swaths. */
export interface StormBandView {
  /** Inches, inclusive. */
  from_in: number
  /** Inches, exclusive; null for the largest band. */
  to_in: number | null
  properties: number
  territories: number
}

/** A day on which watched places were in swaths. */
export interface StormDayView {
  /** Local day of each place, YYYY-MM-DD. */
  date: string
  /** The largest radar estimate of hail at a watched place, inches; null if no watched place was in a swath. */
  largest_in: number | null
  property_count: number
  territory_count: number
  /** All eight bands, the smallest first. */
  bands: StormBandView[]
  /** An estimate by radar, not a measurement. */
  kind: 'radar_estimated'
  sources: RecordSource[]
  citation_urls: string[]
}

/** A watched place inside a swath. */
export interface StormPlaceView {
  subject: WatchSubject
  id: string
  name: string
  /** The point of a property, or the centre of a territory. */
  latitude: number
  longitude: number
  /** How exactly a property is located: with zip or city, its cell is that of the area's centre. Null for a territory. */
  precision: PlacePrecision | null
  /** Largest radar estimate of hail there on the day: in inches to 0.01, and in millimetres as delivered, which decide the band. */
  size_in: number
  size_mm: number
  from_in: number
  to_in: number | null
  source: RecordSource
}

/** One storm day with a page of its places. */
export interface StormDayPlacesView extends StormDayView {
  places: StormPlaceView[]
  /** Number of places on all pages. */
  total: number
}

type Reading = Pick<App, 'pool'>
type Requester = { team: Pick<Caller['team'], 'id'> }

const TENTHS_PER_IN = 254
const TENTHS_PER_MM = 10

/** The smallest size of a swath; smaller hail is in no swath. */
export const leastSize = number('The least size', { min: Math.min(...swathBands), max: 20, unit: 'inches' })

/** Selects the places of a storm day. */
export const stormPlacesForm = {
  date: required(date('The date')),
  at_least_in: optional(leastSize),
  subject: optional(oneOf('The subject', watchSubjects)),
} satisfies Form
export const stormDayForm = { ...stormPlacesForm, ...pagingForm }

/** The most days in one list. */
export const DAYS_MAX = 100
export const stormDaysForm = {
  from: optional(date('The first day')),
  to: optional(date('The last day')),
  first: preset(wholeNumber('The number of days', { min: 1, max: DAYS_MAX }), 25),
} satisfies Form

/**
 * Returns which watched places of a team were in which band of a day's swaths: the counts by band, and a page of the places, the largest first.
 * @throws Refusal 422 for an invalid day, size or page
 */
export async function findStormDay(app: Reading, { team }: Requester, input: Sent<typeof stormDayForm>): Promise<StormDayPlacesView> {
  const faults = gatherFaults()
  const { page, per_page, ...filters } = readNew(stormDayForm, input, faults)
  faults.refuse()
  const { inside, chosen } = await placesOfDay(app, team.id, filters)
  const begin = offsetOf({ page, per_page })
  return {
    ...dayView(filters.date, inside),
    places: await describe(app, team.id, chosen.slice(begin, begin + per_page)),
    total: chosen.length,
  }
}

/** Rows of a file that are read at once. */
const ROWS_AT_ONCE = 1000

/** Yields every selected place in batches, the largest first. The caller has checked the input. */
export async function* everyStormPlace(
  app: Reading,
  { team }: Requester,
  filters: ValuesOf<typeof stormPlacesForm>,
): AsyncGenerator<StormPlaceView[]> {
  const { chosen } = await placesOfDay(app, team.id, filters)
  for (const rows of chunksOf(chosen, ROWS_AT_ONCE)) yield describe(app, team.id, rows)
}

/** Returns the ids of the watched properties where radar estimated hail of at least a size on a day, the largest first. */
export async function propertiesInSwath(app: Reading, { team }: Requester, day: string, at_least_in: number): Promise<string[]> {
  const { chosen } = await placesOfDay(app, team.id, { date: day, at_least_in, subject: 'property' })
  return chosen.map(({ id }) => id)
}

/** @returns the places inside the day's swaths, and those of them that were selected */
async function placesOfDay({ pool }: Reading, team_id: string, { date: day, at_least_in, subject }: ValuesOf<typeof stormPlacesForm>) {
  const blocks = await blocksOfDay(pool, day, null)
  const inside = await findPlacesInSwaths(pool, team_id, blocks)
  const least = (at_least_in ?? 0) * TENTHS_PER_IN
  return { inside, chosen: inside.filter((place) => place.tenths >= least && (subject === undefined || place.subject === subject)) }
}

/** The newest storm days of a range. */
export interface StormDaysView {
  data: StormDayView[]
  /** Send this day as `to` for the earlier days; null if there are none. */
  next_to: string | null
}

/** The most blocks read for one response: about a second's work. A client that wants earlier days sends another request. */
const BLOCKS_MAX = 2000

/**
 * Returns the newest days of a range on which a watched place was in a swath.
 * @throws Refusal 422 for an invalid day or number
 */
export async function listStormDays({ pool }: Reading, { team }: Requester, input: Sent<typeof stormDaysForm>): Promise<StormDaysView> {
  const faults = gatherFaults()
  const { from, to, first } = readNew(stormDaysForm, input, faults)
  checkDays({ from, to }, faults)
  faults.refuse()
  const watch = await readSwathWatch(pool, team.id)
  const blocks = blocksOf(watch)
  const { rows: days } = await pool.query<{ day: string; blocks: number }>({
    name: 'storm_days',
    text: DAYS,
    values: [blocks, from ?? null, to ?? null],
  })
  const data: StormDayView[] = []
  let read = 0
  for (const one of days) {
    if (data.length === first || (read > 0 && read + one.blocks > BLOCKS_MAX)) return { data, next_to: one.day }
    read += one.blocks
    const inside = await readPlacesInSwaths(pool, watch, one.day, blocks)
    if (inside.length > 0) data.push(dayView(one.day, inside))
  }
  return { data, next_to: null }
}

async function readPlacesInSwaths(pool: Reading['pool'], watch: SwathWatch, day: string, blocks: number[]): Promise<PlaceInSwath[]> {
  return placesInSwaths(watch, await blocksOfDay(pool, day, blocks))
}

const DAYS = `
  SELECT day::text, count(*)::int AS blocks FROM radar_days
   WHERE block = ANY ($1::int[]) AND day BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')
   GROUP BY radar_days.day ORDER BY radar_days.day DESC`

function dayView(day: string, inside: PlaceInSwath[]): StormDayView {
  const bands = swathBands.map((from_in, index) => ({ from_in, to_in: swathBands[index + 1] ?? null, properties: 0, territories: 0 }))
  const sources = new Set<RecordSource>()
  for (const { subject, tenths, source } of inside) {
    present(bands[swathBandOf(tenths) - 1])[subject === 'property' ? 'properties' : 'territories']++
    sources.add(source)
  }
  const property_count = bands.reduce((sum, { properties }) => sum + properties, 0)
  return {
    date: day,
    largest_in: inside[0] ? inches(inside[0].tenths / TENTHS_PER_MM) : null,
    property_count,
    territory_count: inside.length - property_count,
    bands,
    kind: 'radar_estimated',
    sources: [...sources].sort(),
    citation_urls: [...new Set([...sources].flatMap((source) => citationsOf(day, source)))].sort(),
  }
}

/** Describes the places in their given order; leaves out a place that was removed meanwhile. */
async function describe({ pool }: Reading, team_id: string, places: PlaceInSwath[]): Promise<StormPlaceView[]> {
  if (places.length === 0) return []
  const { rows } = await pool.query<Pick<StormPlaceView, 'id' | 'name' | 'latitude' | 'longitude' | 'precision'>>({
    name: 'storm_places',
    text: NAMED,
    values: [team_id, places.map(({ id }) => id)],
  })
  const named = new Map(rows.map((row) => [row.id, row]))
  return places.flatMap(({ subject, id, tenths, source }) => {
    const place = named.get(id)
    const band = swathBandOf(tenths)
    const size_mm = tenths / TENTHS_PER_MM
    return place
      ? [
          {
            ...place,
            subject,
            size_in: inches(size_mm),
            size_mm,
            from_in: present(swathBands[band - 1]),
            to_in: swathBands[band] ?? null,
            source,
          },
        ]
      : []
  })
}

const NAMED = `
  SELECT id, coalesce(label, street, query) AS name, latitude, longitude, precision FROM properties WHERE team_id = $1 AND id = ANY ($2::uuid[])
   UNION ALL
  SELECT id, name, centre_latitude, centre_longitude, NULL FROM territories WHERE team_id = $1 AND id = ANY ($2::uuid[])`
