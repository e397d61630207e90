import type { Fact } from './facts.ts'
import { countiesMet, milesBetween, type Nearness, nearArea, nearLine, nearPoint, type Spot } from './ground.ts'

/** A place and a window, as one would ask the service for a report. */
export interface Question {
  /** [longitude, latitude], 5 decimals. */
  place: Spot
  start: string
  end: string
  radius_miles: number
}

export interface Cited {
  fact: Fact
  /** Null for a county row: the record names the county, not a point. */
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
}

export interface Expected {
  cited: Map<string, Cited>
  findings: Map<string, ExpectedFinding>
}

/** What a report must cite and state, worked out from the raw rows. */
export function expectedOf(question: Question, facts: readonly Fact[]): Expected {
  const met = countiesMet(question.place, question.radius_miles)
  const cited = facts
    .filter((fact) => fact.occurred_on >= question.start && fact.occurred_on <= question.end)
    .flatMap((fact) => cite(fact, question, met))
  return {
    cited: new Map(cited.map((one) => [one.fact.event_id, one])),
    findings: new Map([...new Set(cited.map(({ fact }) => fact.family))].map((family) => [family, findingOf(family, cited)])),
  }
}

function cite(fact: Fact, { place, radius_miles }: Question, met: ReadonlySet<string>): Cited[] {
  if (fact.lies.as === 'zone') return []
  if (fact.lies.as === 'county') return met.has(fact.lies.fips) ? [{ fact, near: null }] : []
  const near = nearnessOf(fact, place)
  return near.miles <= radius_miles ? [{ fact, near }] : []
}

/** Nothing in the files is this large: what begins farther away than this beyond the radius is not measured exactly. */
const EXTENT_MILES = 300

export function nearnessOf({ lies }: Fact, place: Spot): Nearness {
  switch (lies.as) {
    case 'point':
      return lies.ends.map((spot) => nearPoint(place, spot)).reduce((best, next) => (next.miles < best.miles ? next : best))
    case 'path':
    case 'area': {
      const away = milesBetween(place, lies.spots[0] as Spot)
      if (away > 100 + EXTENT_MILES) return { miles: away, toward: '' }
      return lies.as === 'path' ? nearLine(place, lies.spots) : nearArea(place, lies.spots)
    }
    default:
      return { miles: Number.POSITIVE_INFINITY, toward: '' }
  }
}

const RANKS = ['unknown', 'minor', 'moderate', 'severe', 'extreme']

function findingOf(family: string, all: readonly Cited[]): ExpectedFinding {
  const cited = all.filter(({ fact }) => fact.family === family)
  const most = (values: (number | null)[]) =>
    values.reduce((best, next) => (next !== null && (best === null || next > best) ? next : best), null)
  const miles = cited.flatMap(({ near }) => (near ? [near.miles] : []))
  return {
    family,
    event_count: cited.length,
    peak_severity: RANKS[Math.max(...cited.map(({ fact }) => RANKS.indexOf(fact.severity)))] as string,
    peak_hail_in: most(cited.map(({ fact }) => fact.hail_size_in)),
    peak_wind_mph: most(cited.flatMap(({ fact }) => [fact.wind_gust_mph, fact.wind_speed_mph])),
    peak_tornado_ef: most(cited.map(({ fact }) => fact.tornado_ef_scale)),
    nearest_miles: miles.length > 0 ? Math.min(...miles) : null,
  }
}
