import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { type DeliveryStatus, deliveryStatuses } from '#domain/closed-sets.ts'
import { findDestination } from '#domain/integrations/find.ts'
import { type DeliveryRow, deliveryColumns, deliveryView, noSuchIntegration } from '#domain/integrations/integration-rows.ts'
import type { DeliveryView } from '#domain/integrations/view.ts'
import { oneOf } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { keyAfter, type Listing, offsetOf, type PageOf, pagesByKey, readListing } from '#domain/kernel/pagination.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, isUuid, refuseField } from '#domain/kernel/validation.ts'
import { withoutLinks } from '#domain/reports/document-store/download.ts'

type Reading = Pick<App, 'pool' | 'config' | 'clock'>
type Requester = Pick<Caller, 'team'>

/** The filters of the ledger. */
export const deliveryFilters = { status: optional(oneOf('The status', deliveryStatuses)) }

/**
 * Returns the ledger of one destination or of all, newest first; it includes deliveries to destinations that were removed.
 * @throws Refusal 404 for a destination that is not the team's; 422 with every invalid filter
 */
export async function listDeliveries(
  app: Reading,
  { team }: Requester,
  input: Listing<typeof deliveryFilters>,
  integration: string | null = null,
): Promise<PageOf<DeliveryView>> {
  if (integration !== null && !isUuid(integration)) throw noSuchIntegration()
  const faults = gatherFaults()
  const { filters, paging } = readListing(deliveryFilters, input, faults)
  // Report a missing destination before invalid filters.
  if (Object.keys(faults.found).length > 0 && integration !== null) await findDestination(app, { team }, integration)
  faults.refuse()
  const { name, fromClause, values } = buildFilter(team.id, integration, filters.status ?? null)
  const { pool } = app
  const counted = await pool.query<{ total: number; known: boolean }>({
    name: `delivery.count.${name}`,
    text: `SELECT count(*)::int AS total, ${integration === null ? 'true' : DESTINATION_EXISTS} AS known ${fromClause}`,
    values,
  })
  if (!counted.rows[0]?.known) throw noSuchIntegration()
  const { rows } = await pool.query<DeliveryRow>({
    name: `delivery.page.${name}`,
    text: `SELECT ${deliveryColumns} ${fromClause} ORDER BY d.created_at DESC, d.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    values: [...values, paging.per_page, offsetOf(paging)],
  })
  return { data: rows.map(deliveryView), total: counted.rows[0].total }
}

/** Yields every matching delivery in pages, newest first. The caller has checked the filters. */
export async function* everyDelivery(
  { pool }: Pick<App, 'pool'>,
  { team }: Requester,
  { status }: ValuesOf<typeof deliveryFilters>,
): AsyncGenerator<DeliveryView[]> {
  const { name, fromClause, values } = buildFilter(team.id, null, status ?? null)
  const [at, id, limit] = [1, 2, 3].map((place) => `$${values.length + place}`)
  const text = `SELECT ${deliveryColumns} ${fromClause} AND (d.created_at, d.id) < (${at}::timestamptz, ${id}::uuid)
                 ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`
  const pages = pagesByKey<DeliveryRow>(
    async (last, size) =>
      (await pool.query<DeliveryRow>({ name: `delivery.every.${name}`, text, values: [...values, ...keyAfter(last), size] })).rows,
  )
  for await (const rows of pages) yield rows.map(deliveryView)
}

/** Part of the count statement: a separate query would be a third round trip. */
const DESTINATION_EXISTS = 'EXISTS (SELECT FROM integrations WHERE team_id = $1 AND id = $2::uuid)'

/** The statement contains only the requested conditions, so that each form uses its own index. */
function buildFilter(team_id: string, integration: string | null, status: string | null) {
  const values = [team_id, integration, status].filter((value) => value !== null)
  const conditions = ['d.team_id = $1', integration && 'd.integration_id = $2::uuid', status && `d.status = $${values.length}`].filter(
    Boolean,
  )
  return {
    name: `${integration ? 'one' : 'all'}.${status ? 'status' : 'any'}`,
    fromClause: `FROM deliveries d WHERE ${conditions.join(' AND ')}`,
    values,
  }
}

/**
 * Returns a delivery with the body that was, or would be, sent. Callers without `reports:export` get the body without links that
 * open a document.
 * @throws Refusal 404
 */
export async function findDelivery(
  { pool }: Pick<App, 'pool'>,
  { team, abilities }: Pick<Caller, 'team' | 'abilities'>,
  id: string,
): Promise<DeliveryView & { body: string | null }> {
  const { rows } = isUuid(id)
    ? await pool.query<DeliveryRow & { body: string | null }>({
        name: 'delivery.one',
        text: `SELECT ${deliveryColumns}, d.body FROM deliveries d WHERE d.team_id = $1 AND d.id = $2`,
        values: [team.id, id],
      })
    : { rows: [] }
  if (!rows[0]) throw noSuchDelivery()
  const { body } = rows[0]
  return { ...deliveryView(rows[0]), body: body === null || abilities.has('reports:export') ? body : withoutLinks(body) }
}

/**
 * Resends a finished delivery from the first attempt, under its own id and with its own body: one that failed or was skipped,
 * or one that arrived at a receiver that has since lost it.
 * @throws Refusal 404; 422 for a delivery still under way, a test, or one whose destination is inactive or removed
 */
export async function resendDelivery(app: App, caller: Caller, id: string): Promise<DeliveryView> {
  const delivery = await findDelivery(app, caller, id)
  const faults = gatherFaults()
  faults.unless(ended.includes(delivery.status), 'delivery', NOT_ENDED)
  faults.unless(delivery.kind === 'event', 'delivery', 'A test cannot be resent. Send another test.')
  faults.unless(
    (await caller.db.integration.count({ where: { id: delivery.integration_id, active: true } })) === 1,
    'delivery',
    'Its destination is inactive or removed.',
  )
  faults.refuse()
  await caller.db.$transaction(async (tx) => {
    const { count } = await tx.delivery.updateMany({
      where: { id, status: delivery.status },
      data: {
        status: 'queued',
        attempts: 0,
        next_attempt_at: null,
        sent_at: null,
        failed_at: null,
        failure_reason: null,
        response_code: null,
      },
    })
    if (count === 0) refuseField('delivery', NOT_ENDED)
    await stage(tx, 'delivery.send', { delivery_id: id })
    auditWrite(tx, { kind: 'delivery', id, before: delivery, after: { status: 'queued' } })
  })
  return findDelivery(app, caller, id)
}

const NOT_ENDED = 'This delivery is still under way.'
const ended: readonly DeliveryStatus[] = ['sent', 'failed', 'skipped']

function noSuchDelivery(): Refusal {
  return new Refusal('not_found', 'There is no delivery with this id.')
}
