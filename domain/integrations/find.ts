import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { channels } from '#domain/closed-sets.ts'
import { eventNames } from '#domain/events/catalogue.ts'
import { type IntegrationRow, integrationColumns, integrationView, noSuchIntegration } from '#domain/integrations/integration-rows.ts'
import type { IntegrationView } from '#domain/integrations/view.ts'
import { flag, oneOf } from '#domain/kernel/fields.ts'
import { optional } from '#domain/kernel/form.ts'
import { type Listing, offsetOf, type PageOf, readListing } from '#domain/kernel/pagination.ts'
import { gatherFaults, isUuid } from '#domain/kernel/validation.ts'

type Reading = Pick<App, 'pool' | 'config' | 'clock'>
type Requester = Pick<Caller, 'team'>

/** The filters of a destination listing. */
export const destinationFilters = {
  channel: optional(oneOf('The channel', channels)),
  /** Only destinations subscribed to this event. */
  event: optional(oneOf('The event', eventNames)),
  active: optional(flag('Active')),
}

/** @throws Refusal 404, the same for an unknown id, another team's id and a value that is not a uuid */
export async function findDestination({ pool, config, clock }: Reading, { team }: Requester, id: string): Promise<IntegrationView> {
  if (!isUuid(id)) throw noSuchIntegration()
  const { rows } = await pool.query<IntegrationRow>({ name: 'integration.one', text: ONE, values: [team.id, id] })
  if (!rows[0]) throw noSuchIntegration()
  return integrationView(rows[0], config.base_url, clock.now())
}

/**
 * Returns the team's destinations, newest first.
 * @throws Refusal 422 with every invalid filter
 */
export async function listDestinations(
  { pool, config, clock }: Reading,
  { team }: Requester,
  input: Listing<typeof destinationFilters>,
): Promise<PageOf<IntegrationView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(destinationFilters, input, faults)
  faults.refuse()
  const { channel, event, active } = filters
  const filterValues = [team.id, channel ?? null, event ?? null, active ?? null]
  const values = [...filterValues, paging.per_page, offsetOf(paging)]
  const { rows } = await pool.query<IntegrationRow>({ name: 'integration.page', text: PAGE, values })
  const counted = await pool.query<{ total: number }>({ name: 'integration.count', text: COUNT, values: filterValues })
  const now = clock.now()
  return { data: rows.map((row) => integrationView(row, config.base_url, now)), total: counted.rows[0]?.total ?? 0 }
}

const FILTERED = `
  FROM integrations i
 WHERE i.team_id = $1
   AND ($2::text IS NULL OR i.channel = $2)
   AND ($3::text IS NULL OR $3 = ANY (i.events))
   AND ($4::boolean IS NULL OR i.active = $4)`

const ONE = `SELECT ${integrationColumns} FROM integrations i WHERE i.team_id = $1 AND i.id = $2`
const COUNT = `SELECT count(*)::int AS total ${FILTERED}`
const PAGE = `SELECT ${integrationColumns} ${FILTERED} ORDER BY i.created_at DESC, i.id DESC LIMIT $5 OFFSET $6`
