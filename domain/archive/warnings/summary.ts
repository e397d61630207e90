import { warningPage } from '#domain/archive/warnings/citation.ts'
import { issuesOf } from '#domain/archive/warnings/spans.ts'
import { endsWarning } from '#domain/archive/warnings/vtec.ts'
import { geometryBasis, type StoredMessage } from '#domain/archive/warnings/warning.ts'
import type { geometryBases } from '#domain/closed-sets.ts'
import { pick } from '#domain/kernel/keys-of.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'

/** The state of a warning after a message, in the columns of its table. */
export interface WarningState extends Stated {
  source_key: string
  status: 'actual'
  issued_at: Date
  cancelled_at: Date | null
  office_id: string
  phenomenon: string
  significance: string
  tracking_number: number
  geometry_basis: (typeof geometryBases)[number]
  citation_url: string
}

const statedColumns = [
  'identifier',
  'event',
  'headline',
  'message_type',
  'severity',
  'certainty',
  'urgency',
  'onset_at',
  'expires_at',
  'ends_at',
  'office_name',
  'vtec',
  'threats',
  'area',
  'instruction',
  'geometry',
  'polygon_fault',
  'county_fips',
  'zones',
  'sent_at',
] as const satisfies (keyof StoredMessage)[]

type Stated = Pick<StoredMessage, (typeof statedColumns)[number]>

/**
 * Returns the warning as its newest message left it. A message that continues the warning replaces the previous one, except
 * for what it does not state. A message that ends the warning changes only its status, and leaves the threats unchanged.
 */
export function stateOf(source_key: string, messages: readonly StoredMessage[]): WarningState {
  const issues = issuesOf(messages)
  let stated = statementOf(present(issues[0]))
  let cancelled_at = cancelledBy(present(issues[0]))
  for (const issue of issues.slice(1)) {
    const next = statementOf(issue)
    stated = issue.every(isEnd) ? applyEnd(stated, next) : applyUpdate(stated, next)
    cancelled_at = issue.every(isEnd) ? (cancelledBy(issue) ?? cancelled_at) : null
  }
  const [office, phenomenon, significance, number, year] = tupleOf(source_key.split('.'), 5)
  const vtec = { office, phenomenon, significance, tracking_number: Number(number) }
  const begins = messages.map(({ begins_at, sent_at }) => (begins_at ?? sent_at).getTime())
  return {
    ...stated,
    source_key,
    status: 'actual',
    issued_at: new Date(Math.min(...begins)),
    cancelled_at,
    office_id: office,
    phenomenon,
    significance,
    tracking_number: vtec.tracking_number,
    geometry_basis: geometryBasis(stated),
    citation_url: warningPage(vtec, Number(year)),
  }
}

const isEnd = ({ action }: StoredMessage) => endsWarning(action)

/** A cancelled or upgraded warning ends when the message is sent; an expired one at its stated end. */
function cancelledBy(issue: StoredMessage[]): Date | null {
  const [by] = issue.every(isEnd) ? issue.filter(({ action }) => action !== 'EXP') : []
  return by?.sent_at ?? null
}

/** Combines the segments of one issue that continue the warning, or if none does, those that end it: together they are its area. */
function statementOf(issue: StoredMessage[]): Stated {
  const goingOn = issue.filter((message) => !isEnd(message))
  const parts = goingOn.length > 0 ? goingOn : issue
  const first = present(parts[0])
  const drawn = parts.find(({ geometry, polygon_fault }) => geometry || polygon_fault) ?? first
  const areas = new Set(parts.flatMap(({ area }) => area?.split('; ') ?? []))
  const one = pick(first, statedColumns)
  return {
    ...one,
    geometry: drawn.geometry,
    polygon_fault: drawn.polygon_fault,
    area: [...areas].join('; ') || null,
    county_fips: [...new Set(parts.flatMap(({ county_fips }) => county_fips))],
    zones: [...new Set(parts.flatMap(({ zones }) => zones))],
  }
}

/** A text product states no certainty or severity, so those of the previous message stay. */
function applyUpdate(before: Stated, next: Stated): Stated {
  const known = <Key extends 'severity' | 'certainty' | 'urgency'>(key: Key): Stated[Key] =>
    next[key] === 'unknown' ? before[key] : next[key]
  const drawn = next.geometry || next.polygon_fault ? next : before
  const named = next.county_fips.length + next.zones.length > 0 ? next : before
  return {
    ...next,
    severity: known('severity'),
    certainty: known('certainty'),
    urgency: known('urgency'),
    headline: next.headline ?? before.headline,
    onset_at: next.onset_at ?? before.onset_at,
    area: next.area ?? before.area,
    instruction: next.instruction ?? before.instruction,
    geometry: drawn.geometry,
    polygon_fault: drawn.polygon_fault,
    county_fips: named.county_fips,
    zones: named.zones,
  }
}

function applyEnd(before: Stated, { identifier, message_type, vtec, sent_at, expires_at, ends_at }: Stated): Stated {
  return {
    ...before,
    identifier,
    message_type,
    vtec,
    sent_at,
    expires_at: expires_at ?? before.expires_at,
    ends_at: ends_at ?? before.ends_at,
  }
}
