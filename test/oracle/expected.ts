import type { Fact } from './facts.ts'
import { countiesWithin, milesBetween, type Nearness, nearArea, nearLine, nearPoint, type Spot } from './geography.ts'
import type { ZoneTable } from './zone-table.ts'

/** A place and a window, as in a request for a report. */
export interface Question {
  /** [longitude, latitude], 5 decimals. */
  place: Spot
  start: string
  end: string
  radius_miles: number
}

export interface Cited {
  fact: Fact
  /** Null for a county or a zone row: the record names the county or the zone instead of a point. */
  near: Nearness | null
}

export interface ExpectedFinding {
  family: string
  event_count: number
  peak_severity: string
  peak_hail_in: number | null
  peak_wind_mph: number | null
  peak_tornado_ef: number | null
  nearest_miles: number | null
  /** Whether the confidence is low: no undoubted record is located within ten miles. */
  low: boolean
}

export interface Expected {
  cited: Map<string, Cited>
}

/** What a report must cite and state, computed from the raw rows. */
export function expectedOf(question: Question, facts: readonly Fact[], zones: ZoneTable): Expected {
  const counties = countiesWithin(question.place, question.radius_miles)
  const cited = facts
    .filter((fact) => fact.occurred_on >= question.start && fact.occurred_on <= question.end)
    .flatMap((fact) => cite(fact, question, counties, zones))
  return { cited: new Map(cited.map((one) => [one.fact.event_id, one])) }
}

/** What the findings must state about the cited records, by family: doubted records are counted, and give no peak. */
export function findingsOf({ cited }: Expected): Map<string, ExpectedFinding> {
  const all = [...cited.values()]
  return new Map([...new Set(all.map(({ fact }) => fact.family))].map((family) => [family, findingOf(family, all)]))
}

function cite(fact: Fact, { place, radius_miles }: Question, counties: ReadonlySet<string>, zones: ZoneTable): Cited[] {
  if (fact.location.as === 'zone')
    return [...(zones.get(fact.location.zone ?? '') ?? [])].some((fips) => counties.has(fips)) ? [{ fact, near: null }] : []
  if (fact.location.as === 'county') return counties.has(fact.location.fips) ? [{ fact, near: null }] : []
  const near = nearnessOf(fact, place)
  return near.miles <= radius_miles ? [{ fact, near }] : []
}

/** Nothing in the files is this large: a record that begins farther than this beyond the radius is not measured exactly. */
const EXTENT_MILES = 300

export function nearnessOf({ location }: Fact, place: Spot): Nearness {
  switch (location.as) {
    case 'point':
      return location.ends.map((spot) => nearPoint(place, spot)).reduce((best, next) => (next.miles < best.miles ? next : best))
    case 'path':
    case 'area': {
      const away = milesBetween(place, location.spots[0] as Spot)
      if (away > 100 + EXTENT_MILES) return { miles: away, toward: '' }
      return location.as === 'path' ? nearLine(place, location.spots) : nearArea(place, location.spots)
    }
    default:
      return { miles: Number.POSITIVE_INFINITY, toward: '' }
  }
}

/** Beyond this distance the confidence of one kind of evidence is low. */
const MEDIUM_MILES = 10

const RANKS = ['unknown', 'minor', 'moderate', 'severe', 'extreme']

function findingOf(family: string, all: readonly Cited[]): ExpectedFinding {
  const cited = all.filter(({ fact }) => fact.family === family)
  const isSound = ({ fact }: Cited) => fact.doubts.length === 0
  const most = (values: (number | null)[]) =>
    values.reduce((best, next) => (next !== null && (best === null || next > best) ? next : best), null)
  const milesOf = (of: Cited[]) => of.flatMap(({ near }) => (near ? [near.miles] : []))
  const placed = cited.filter(({ near }) => near !== null)
  // Peaks come from records with a place, and from county rows only if there is nothing else.
  const peakRecords = (placed.length > 0 ? placed : cited).filter(isSound)
  const sound = milesOf(placed.filter(isSound))
  const miles = sound.length > 0 ? sound : milesOf(placed)
  return {
    family,
    event_count: cited.length,
    peak_severity: RANKS[Math.max(0, ...peakRecords.map(({ fact }) => RANKS.indexOf(fact.severity)))] as string,
    peak_hail_in: most(peakRecords.map(({ fact }) => fact.hail_size_in)),
    peak_wind_mph: most(peakRecords.flatMap(({ fact }) => [fact.wind_gust_mph, fact.wind_speed_mph])),
    peak_tornado_ef: most(peakRecords.map(({ fact }) => fact.tornado_ef_scale)),
    nearest_miles: miles.length > 0 ? Math.min(...miles) : null,
    low: !sound.some((each) => each <= MEDIUM_MILES),
  }
}
