import type { NearbyRecord } from '#domain/archive/record.ts'
import type { AlertEvidence, WatchSubject } from '#domain/closed-sets.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import type { ExposureFamily } from '#domain/weather/exposure-families.ts'
import { exposureFamilyOf } from '#domain/weather/types.ts'

/** The conditions of a rule for storm days. Null: no condition. */
export interface AlertConditions {
  kinds: ExposureFamily[]
  /** Inches; applies only to hail. */
  least_hail_in: number | null
  /** Miles an hour; applies only to wind. */
  least_gust_mph: number | null
  /** Miles between the place and the record. */
  greatest_miles: number | null
  evidence: AlertEvidence
  /** At most one of the three is set; if none is, every place of the team. A tag matches ignoring case. */
  tag: string | null
  property_id: string | null
  territory_id: string | null
}

/** The place of a storm day. */
export interface AlertPlace {
  id: string
  subject: WatchSubject
  /** Tags of a property. */
  tags: readonly string[]
}

/**
 * Whether a storm day meets a rule: a single record that the exposure cites must meet every condition. A large stone far away
 * and a small one at the door are not a large one at the door.
 */
export function matchesRule(rule: AlertConditions, place: AlertPlace, cited: NearbyRecord[]): boolean {
  return isInScope(rule, place) && cited.some((record) => matchesConditions(rule, record))
}

function isInScope({ tag, property_id, territory_id }: AlertConditions, place: AlertPlace): boolean {
  if (tag !== null) return place.subject === 'property' && place.tags.some((one) => one.toLowerCase() === tag.toLowerCase())
  if (property_id !== null) return place.subject === 'property' && place.id === property_id
  if (territory_id !== null) return place.subject === 'territory' && place.id === territory_id
  return true
}

function matchesConditions(rule: AlertConditions, record: NearbyRecord): boolean {
  const { kinds, evidence, greatest_miles } = rule
  const kind = exposureFamilyOf(record.type)
  if (!kinds.includes(kind)) return false
  if (evidence === 'observed' && isRadar(record)) return false
  if (greatest_miles !== null && (record.distance_miles ?? Number.POSITIVE_INFINITY) > greatest_miles) return false
  if (kind === 'hail') return isAtLeast(record.hail_size_in, rule.least_hail_in)
  if (kind === 'wind') return isAtLeast(record.wind_gust_mph ?? record.wind_speed_mph, rule.least_gust_mph)
  return true
}

/** A record without a size does not meet a condition on size. */
function isAtLeast(value: number | null, minimum: number | null): boolean {
  return minimum === null || (value !== null && value >= minimum)
}
