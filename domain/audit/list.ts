import type { App } from '#domain/app.ts'
import { INSTALL } from '#domain/audit/audit-log.ts'
import { type TargetKind, targetKinds } from '#domain/audit/audited-keys.ts'
import { type ActorKind, actorKinds } from '#domain/closed-sets.ts'
import { moment, oneOf, text } from '#domain/kernel/fields.ts'
import { optional } from '#domain/kernel/form.ts'
import { type Listing, offsetOf, type PageOf, readListing } from '#domain/kernel/pagination.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'

/** A row as returned, with its hashes: a reader who stores a hash elsewhere can later check the log against it. */
export interface AuditEntryView {
  object: 'audit_entry'
  /** Null: the install itself. */
  team_id: string | null
  sequence: number
  at: string
  actor_kind: ActorKind
  actor: string
  operation: string
  target_kind: TargetKind
  target_id: string | null
  before: object | null
  after: object | null
  changed: string[] | null
  request_id: string | null
  network: string | null
  previous_hash: string
  hash: string
}

/** Maximum characters of a filter: target ids are UUIDs, numbers and the service's own names. */
const WORD_MAX = 80

/** Filters of the log. */
export const auditFilters = {
  actor_kind: optional(oneOf('The kind of actor', actorKinds)),
  actor: optional(text('The actor', { max: WORD_MAX })),
  operation: optional(text('The operation', { max: WORD_MAX })),
  target_kind: optional(oneOf('The kind of target', targetKinds)),
  target: optional(text('The target', { max: WORD_MAX })),
  since: optional(moment('The beginning')),
}

/**
 * Returns a page of the log, newest first: of one team, or of every team and the install if `team_id` is null.
 * @throws Refusal 422 with every invalid filter
 */
export async function listAuditLog(
  { pool }: Pick<App, 'pool'>,
  team_id: string | null,
  input: Listing<typeof auditFilters>,
): Promise<PageOf<AuditEntryView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(auditFilters, input, faults)
  faults.refuse()
  const { actor_kind, operation, target_kind, since } = filters
  const [actor, target] = [filters.actor, filters.target].map(asStored)
  const filterValues = [team_id, actor_kind, actor, operation, target_kind, target, since].map((value) => value ?? null)
  const { text, name } = team_id === null ? { text: PAGE_OF_ALL, name: 'audit.page.all' } : { text: PAGE, name: 'audit.page' }
  const { rows } = await pool.query<Row>({ name, text, values: [...filterValues, paging.per_page, offsetOf(paging)] })
  const isUnfiltered = filterValues.slice(1).every((value) => value === null)
  const count = isUnfiltered
    ? { name: 'audit.count.whole', text: COUNT_UNFILTERED, values: [team_id] }
    : { name: 'audit.count', text: COUNT, values: filterValues }
  const counted = await pool.query<{ total: number }>(count)
  return { data: rows.map(viewOf), total: counted.rows[0]?.total ?? 0 }
}

/** The log stores UUIDs in lower case, and names and prefixes of tokens as they are. */
const asStored = (id: string | null | undefined) => (id != null && isUuid(id) ? id.toLowerCase() : id)

type Row = Omit<AuditEntryView, 'object' | 'at' | 'team_id'> & { at: Date; team_id: string }

const viewOf = (row: Row): AuditEntryView => ({
  ...row,
  object: 'audit_entry',
  at: row.at.toISOString(),
  team_id: row.team_id === INSTALL ? null : row.team_id,
})

const FILTERED = `
  FROM audit_log l
 WHERE ($1::uuid IS NULL OR l.team_id = $1)
   AND ($2::text IS NULL OR l.actor_kind = $2)
   AND ($3::text IS NULL OR l.actor = $3)
   AND ($4::text IS NULL OR l.operation = $4)
   AND ($5::text IS NULL OR l.target_kind = $5)
   AND ($6::text IS NULL OR l.target_id = $6)
   AND ($7::timestamptz IS NULL OR l.at >= $7)`
const COLUMNS = `team_id, sequence, at, actor_kind, actor, operation, target_kind, target_id, before, after, changed, request_id, network, previous_hash, hash`
const COUNT = `SELECT count(*)::int AS total ${FILTERED}`
/** Rows of a chain are numbered without gaps, so an unfiltered count reads no rows of the log. */
const COUNT_UNFILTERED = `
  SELECT coalesce(sum(sequence - anchor_sequence), 0)::int AS total FROM audit_chains WHERE $1::uuid IS NULL OR team_id = $1`
const PAGE = `SELECT ${COLUMNS} ${FILTERED} ORDER BY l.sequence DESC LIMIT $8 OFFSET $9`
const PAGE_OF_ALL = `SELECT ${COLUMNS} ${FILTERED} ORDER BY l.at DESC, l.team_id, l.sequence DESC LIMIT $8 OFFSET $9`
