import { seededRandom } from '#test/bench/random.ts'
import type { Question } from './expected.ts'
import type { Fact } from './facts.ts'
import { countyCentre, nearPoint, type Spot, stateHolding, travel } from './geography.ts'
import type { ZoneTable } from './zone-table.ts'

/** What a question is meant to find; it may find much else. */
export const aims = ['hail', 'wind', 'tornado', 'flood', 'county', 'zone', 'doubted', 'edge', 'anywhere'] as const
export type Aim = (typeof aims)[number]

export interface AimedQuestion extends Question {
  aim: Aim
}

/** Out of 100. Each aim with a quota is asked more often than its quota, because storms of one kind are often alone. */
const shares: Record<Aim, number> = { hail: 11, wind: 11, tornado: 11, flood: 14, county: 12, zone: 12, doubted: 15, edge: 9, anywhere: 5 }

/** Largest distance in miles between a record and the circle's edge in a question aimed at the edge. */
export const EDGE_MILES = 0.01

/** Returns the same questions for the same seed and facts. */
export function askQuestions(facts: readonly Fact[], zones: ZoneTable, count: number, seed: number): AimedQuestion[] {
  const random = seededRandom(seed)
  const anchors = Object.fromEntries(aims.map((aim) => [aim, facts.filter((fact) => serves(fact, aim, zones))])) as Record<Aim, Fact[]>
  const questions: AimedQuestion[] = []
  while (questions.length < count) {
    const aim = aimAt((questions.length * 100) / count)
    const anchor = random.pick(anchors[aim])
    const spot = spotOf(anchor, zones)
    const radius_miles = radius()
    if (!spot) continue
    const place = rounded(placeNear(aim, spot, radius_miles))
    if (!stateHolding(place)) continue
    if (aim === 'edge' && Math.abs(nearPoint(place, spot).miles - radius_miles) >= EDGE_MILES) continue
    questions.push({ aim, place, radius_miles, ...windowAround(anchor.occurred_on) })
  }
  return questions

  /** Small circles as often as large ones; two decimals, as a window states them. */
  function radius(): number {
    return Math.round(100 * 100 ** random.next()) / 100
  }

  function placeNear(aim: Aim, spot: Spot, radius_miles: number): Spot {
    const direction = random.between(0, 2 * Math.PI)
    if (aim === 'edge') return travel(spot, direction, radius_miles + random.between(-EDGE_MILES, EDGE_MILES))
    if (aim === 'anywhere') return [random.between(-124, -68), random.between(25, 49)]
    return travel(spot, direction, radius_miles * Math.sqrt(random.next()))
  }

  /** Both edges on the storm's date, or one, or neither; sometimes all the years. */
  function windowAround(date: string): { start: string; end: string } {
    const before = shifted(date, -random.integer(1, 200))
    const after = shifted(date, random.integer(1, 200))
    const kind = random.next()
    if (kind < 0.2) return { start: date, end: date }
    if (kind < 0.45) return { start: date, end: after }
    if (kind < 0.7) return { start: before, end: date }
    if (kind < 0.92) return { start: before, end: after }
    return { start: '1991-01-01', end: '2019-12-31' }
  }
}

function aimAt(percent: number): Aim {
  let reached = 0
  for (const aim of aims) {
    reached += shares[aim]
    if (percent < reached) return aim
  }
  return 'anywhere'
}

/** Half of 1992 is doubted for its time zone: other doubts would otherwise hardly occur. */
function isSuspect({ doubts }: Fact): boolean {
  return doubts.some(({ about }) => about !== 'time zone')
}

function serves(fact: Fact, aim: Aim, zones: ZoneTable): boolean {
  const { type, location } = fact
  if (location.as === 'zone') return aim === 'zone' && zones.has(location.zone ?? '')
  if (aim === 'zone') return false
  if (aim === 'doubted') return isSuspect(fact)
  if (aim === 'county') return location.as === 'county'
  if (aim === 'anywhere') return true
  if (location.as === 'county') return false
  if (aim === 'edge') return location.as === 'point' && location.ends.length === 1
  if (aim === 'wind') return type === 'thunderstorm_wind' || type === 'marine_thunderstorm_wind'
  if (aim === 'flood') return type === 'flood' || type === 'flash_flood'
  return type === aim
}

function spotOf({ location }: Fact, zones: ZoneTable): Spot | null {
  if (location.as === 'county') return countyCentre(location.fips)
  if (location.as === 'zone') return countyCentre([...(zones.get(location.zone ?? '') ?? [])][0] ?? '')
  return (location.as === 'point' ? location.ends[0] : location.spots[0]) as Spot
}

/** As the service stores coordinates: 5 decimals. */
const rounded = ([lon, lat]: Spot): Spot => [Number(lon.toFixed(5)), Number(lat.toFixed(5))]

const DAY_MS = 86_400_000

function shifted(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}
