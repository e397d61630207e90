import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { counted, day as dateText, inches, localMoment, milesPerHour, qualifierOf, recordInWords } from '../../parts/format.ts'

const RECORDS = graphql(`
  query Records($id: UUID!, $page: Int) {
    reportEvents(report: $id, page: $page, per_page: 100) {
      data {
        id type family occurred_on begins_at ends_at description sample
        relevance { distance_miles bearing }
        measurements { hail_size_in wind_gust_mph wind_speed_mph }
        tornado_rating
        location { latitude longitude county state }
        provenance { source source_label evidence_kind qualifier citation_url caveats }
      }
      meta { last_page total }
    }
  }
`)

export type CitedRecord = NonNullable<ResultOf<typeof RECORDS>['reportEvents']>['data'][number]

export interface CitedRecords {
  /** Newest first, at most PAGES_MAX pages. */
  records: CitedRecord[]
  /** How many the report cites. */
  total: number
}

/** 2,000 records take about a second to read. Of a report that cites more, only these and their days are shown, with a notice. */
const PAGES_MAX = 20
/** Pages that are read at the same time. */
const PARALLEL_PAGES = 4

/** Reads the records that a report cites, so that the page can sort and filter them without another request. */
export async function readCited(id: string): Promise<CitedRecords> {
  const first = await readPage(id, 1)
  const last = Math.min(first.meta.last_page, PAGES_MAX)
  const records = [...first.data]
  for (let page = 2; page <= last; page += PARALLEL_PAGES) {
    const batch = Array.from({ length: Math.min(PARALLEL_PAGES, last - page + 1) }, (_, at) => readPage(id, page + at))
    for (const { data } of await Promise.all(batch)) records.push(...data)
  }
  return { records, total: first.meta.total }
}

async function readPage(id: string, page: number) {
  const { reportEvents: found } = await ask(RECORDS, { id, page })
  if (!found) throw new Error('The records of this report could not be read.')
  return found
}

export const orders = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  nearest: 'Nearest first',
  hail: 'Largest hail first',
  wind: 'Strongest wind first',
  kind: 'By kind',
} as const
export type Order = keyof typeof orders

/** The filters and the order of the records; an absent key does not filter. */
export interface RecordFilters {
  type?: string | undefined
  source?: string | undefined
  evidence?: string | undefined
  confidence?: string | undefined
  day?: string | undefined
  sort?: string | undefined
}

/** The gust of a record in miles an hour, else its sustained speed; null for none. */
export const windOf = ({ measurements }: CitedRecord) => measurements.wind_gust_mph ?? measurements.wind_speed_mph

/** The sizes, speeds and rating that a record states. */
export const figuresOf = ({ measurements, tornado_rating }: CitedRecord) => ({ ...measurements, tornado_rating })

/** What a record states: "Hail, 1.75 in". */
export const summaryOf = (record: CitedRecord) =>
  recordInWords({ type: record.type, ...figuresOf(record), is_radar: record.provenance.evidence_kind === 'radar' })

/** A citation for a letter: source, day, what the record states and how it was obtained, the source's own words and its URL. */
export function citationOf(record: CitedRecord): string {
  const { provenance, occurred_on, description } = record
  const { source_label, evidence_kind, qualifier, citation_url } = provenance
  const manner = evidence_kind === 'radar' ? null : qualifierOf(qualifier, figuresOf(record))
  const stated = `${source_label}, ${occurred_on}: ${summaryOf(record)}${manner === null ? '' : ` (${manner})`}.`
  return [stated, description, citation_url].filter(Boolean).join(' ')
}

/**
 * When a record began, by the clock of the address, as the document states it. The day that the record counts for, by the clock of its own
 * place, comes first if it is another. A radar estimate that is the largest of several hours has no time: its words give the hours.
 */
export function whenOf({ occurred_on, begins_at, ends_at, provenance }: CitedRecord, timezone: string | null): string {
  const [date, at] = [dateText(occurred_on), localMoment(begins_at, timezone)]
  if (provenance.evidence_kind === 'radar' && ends_at !== null) return date
  return at.startsWith(date) ? at : `${date}; ${at}`
}

const byDate = (one: CitedRecord, other: CitedRecord) =>
  other.occurred_on.localeCompare(one.occurred_on) || Date.parse(other.begins_at) - Date.parse(one.begins_at)
/** Records without the figure come last in either direction. */
const byFigure =
  (figure: (one: CitedRecord) => number | null, direction: 1 | -1) =>
  (one: CitedRecord, other: CitedRecord): number => {
    const [a, b] = [figure(one), figure(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return direction * (a - b)
  }
const comparisons: Record<Order, (one: CitedRecord, other: CitedRecord) => number> = {
  newest: byDate,
  oldest: (one, other) => byDate(other, one),
  nearest: byFigure(({ relevance }) => relevance.distance_miles, 1),
  hail: byFigure(({ measurements }) => measurements.hail_size_in, -1),
  wind: byFigure(windOf, -1),
  kind: (one, other) => one.type.localeCompare(other.type),
}

const isOrder = (text: string | undefined): text is Order => text !== undefined && Object.hasOwn(orders, text)

/**
 * Returns the records that match the choice, in the chosen order. Equal records stay newest first.
 * @param confidenceOf the confidence of the finding about a family
 */
export function filterAndSort(
  records: readonly CitedRecord[],
  choice: RecordFilters,
  confidenceOf: (family: string) => string | undefined,
): CitedRecord[] {
  const { type, source, evidence, confidence, day, sort } = choice
  const order = isOrder(sort) ? sort : 'newest'
  return records
    .filter(
      (one) =>
        (!type || one.type === type) &&
        (!source || one.provenance.source === source) &&
        (!evidence || one.provenance.evidence_kind === evidence) &&
        (!confidence || confidenceOf(one.family) === confidence) &&
        (!day || one.occurred_on === day),
    )
    .sort(byDate)
    .sort(comparisons[order])
}

/** One local day: the strongest of each kind, from records that name a place and have no caveat. */
export interface CitedDay {
  date: string
  /** `is_observed` is true for hail without a size too; so is the wind's for damage without a speed. */
  hail: { observed_in: number | null; radar_in: number | null; is_observed: boolean }
  wind: { mph: number | null; is_observed: boolean }
  tornado_rating: string | null
  /** Number of records of the day, including those with caveats or without a distance. */
  records: number
}

/** Groups records by day, newest first. */
export function daysOf(records: readonly CitedRecord[]): CitedDay[] {
  const days = new Map<string, CitedDay>()
  for (const record of records) {
    const day = days.get(record.occurred_on) ?? emptyDay(record.occurred_on)
    days.set(record.occurred_on, withRecord(day, record))
  }
  return [...days.values()].sort((one, other) => other.date.localeCompare(one.date))
}

/** The days of which every record was read. If a report cites more records than are read, the oldest of them may lack some of its own. */
export function wholeDaysOf({ records, total }: CitedRecords): CitedDay[] {
  const days = daysOf(records)
  return records.length < total ? days.slice(0, -1) : days
}

const emptyDay = (date: string): CitedDay => ({
  date,
  hail: { observed_in: null, radar_in: null, is_observed: false },
  wind: { mph: null, is_observed: false },
  tornado_rating: null,
  records: 0,
})

function withRecord(day: CitedDay, record: CitedRecord): CitedDay {
  const counted = { ...day, records: day.records + 1 }
  if (record.provenance.caveats.length > 0 || record.relevance.distance_miles === null) return counted
  const hail = record.measurements.hail_size_in
  const isRadar = record.provenance.evidence_kind === 'radar'
  return {
    ...counted,
    hail: {
      observed_in: isRadar ? day.hail.observed_in : larger(day.hail.observed_in, hail),
      radar_in: isRadar ? larger(day.hail.radar_in, hail) : day.hail.radar_in,
      is_observed: day.hail.is_observed || (!isRadar && record.type.endsWith('hail')),
    },
    wind: { mph: larger(day.wind.mph, windOf(record)), is_observed: day.wind.is_observed || record.type.endsWith('wind') },
    tornado_rating: stronger(day.tornado_rating, record.type === 'tornado' ? (record.tornado_rating ?? 'unrated') : null),
  }
}

function larger(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.max(one, other)
}

/** Compares ratings by their last digit: EF3 and F3 are equal. A rating without a number is the weakest. */
function stronger(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return forceOf(other) > forceOf(one) ? other : one
}

/** Returns the number of a rating, or -1 if it has none. */
export function forceOf(rating: string): number {
  const [number] = /\d$/.exec(rating) ?? []
  return number === undefined ? -1 : Number(number)
}

/** Describes the days for readers who do not see the chart. Reported hail is not mixed with radar estimates. */
export function daysInWords(days: readonly CitedDay[]): string {
  const valuesOf = (value: (day: CitedDay) => number | null) => days.flatMap((one) => value(one) ?? [])
  const stated = (name: string, values: number[], textOf: (value: number) => string) =>
    values.length > 0 && `${name} on ${counted(values.length, 'day')}, at most ${textOf(Math.max(...values))}`
  return [
    stated(
      'Hail sizes reported',
      valuesOf(({ hail }) => hail.observed_in),
      inches,
    ),
    stated(
      'Hail sizes estimated by radar',
      valuesOf(({ hail }) => hail.radar_in),
      inches,
    ),
    stated(
      'Wind speeds',
      valuesOf(({ wind }) => wind.mph),
      milesPerHour,
    ),
    tornadoesInWords(days.flatMap(({ tornado_rating }) => tornado_rating ?? [])),
  ]
    .filter(Boolean)
    .join('; ')
}

/** A tornado without a numbered rating is no weakest one: its strength is not known. */
function tornadoesInWords(ratings: string[]): string | false {
  const strongest = ratings.reduce<string | null>(stronger, null)
  if (strongest === null) return false
  const strength = forceOf(strongest) < 0 ? 'strength not known' : `at most ${strongest}`
  return `Tornadoes on ${counted(ratings.length, 'day')}, ${strength}`
}
