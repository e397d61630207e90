import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { listDeliveries } from '#domain/integrations/deliveries.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { vacuum } from './vacuum.ts'

export const claim = 'A page of the delivery ledger costs little more than reading the same rows by hand'

/** Deliveries of all teams; the measured team has a hundredth of them, a tenth of which failed. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
const PER_PAGE = 25
/** For each team. */
const DESTINATIONS = 10

type Reading = Parameters<typeof listDeliveries>[0]
type Requester = Parameters<typeof listDeliveries>[1]

interface Stage {
  app: Reading
  requester: Requester
  destination: string
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { db, pool, close } = openDatabase(url)
  bed.closing(close)
  const [team, other] = [
    await createTeam(db, systemClock, { name: 'Bench', plan: 'enterprise' }),
    await createTeam(db, systemClock, { name: 'Other', plan: 'enterprise' }),
  ]
  const destinations: string[] = Array.from({ length: DESTINATIONS }, () => randomUUID())
  await pool.query(INTEGRATIONS, [team.id, destinations])
  await pool.query(DELIVERIES, [team.id, bed.size / 100, destinations])
  await pool.query(DELIVERIES, [other.id, bed.size - bed.size / 100, destinations.map(() => randomUUID())])
  await vacuum(pool, 'deliveries')
  const requester = { team: { id: team.id } } as Requester
  return { app: { pool, clock: systemClock, config: configFor({ database_url: url }) }, requester, destination: destinations[0] as string }
}

const INTEGRATIONS = `
  INSERT INTO integrations (id, team_id, name, channel, events, address_hint, url_encrypted, updated_at)
  SELECT id, $1, 'Receiver', 'chat_a', ARRAY['property.created'], 'https://hooks.example.com/…a1b2', '', now() FROM unnest($2::uuid[]) id`

const DELIVERIES = `
  INSERT INTO deliveries (id, team_id, event_id, event, integration_id, kind, channel, status, subject, address_hint, attempts, response_code,
                          exposure_ids, body, sent_at, failed_at, created_at)
  SELECT gen_random_uuid(), $1, gen_random_uuid(), 'property.created', ($3::uuid[])[1 + n % ${DESTINATIONS}], 'event', 'webhook',
         CASE WHEN n / ${DESTINATIONS} % 10 = 0 THEN 'failed' ELSE 'sent' END, 'Property ' || n, 'https://hooks.example.com/…a1b2', 1, 204, ARRAY[n],
         repeat('{"object":"property"}', 40), now(), NULL, now() - n * interval '1 second'
    FROM generate_series(1, $2::int) n`

/** The page number varies, so that later pages are requested as well. */
const PAGES = 4
const paging = (turn: number) => ({ page: 1 + (turn % PAGES), per_page: PER_PAGE })

/** The peer's two statements: the rows of a page, and their total. */
const COLUMNS =
  'id, kind, channel, status, subject, address_hint, attempts, response_code, failure_reason, exposure_ids, sent_at, failed_at, created_at, integration_id'
const teamCondition = 'team_id = $1'

interface Case {
  title: string
  filtersOf: (stage: Stage) => { status?: string; integration?: string }
  where: string
  values: (stage: Stage) => string[]
}
const cases: Case[] = [
  { title: 'all', filtersOf: () => ({}), where: teamCondition, values: () => [] },
  {
    title: 'one destination',
    filtersOf: ({ destination }) => ({ integration: destination }),
    where: `${teamCondition} AND integration_id = $2`,
    values: ({ destination }) => [destination],
  },
  { title: 'failed', filtersOf: () => ({ status: 'failed' }), where: `${teamCondition} AND status = $2`, values: () => ['failed'] },
]

const listPage = (stage: Stage, { filtersOf }: Case, turn: number) => {
  const { integration, ...filters } = filtersOf(stage)
  return listDeliveries(stage.app, stage.requester, { ...filters, ...paging(turn) }, integration)
}

async function byHand(
  { app, ...stage }: Stage,
  { title, where, values }: Case,
  turn: number,
): Promise<{ rows: pg.QueryResultRow[]; total: number }> {
  const { page, per_page } = paging(turn)
  const parameters = [stage.requester.team.id, ...values({ app, ...stage })]
  const text = `SELECT ${COLUMNS} FROM deliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${per_page} OFFSET $${parameters.length + 1}`
  const { rows } = await app.pool.query({ name: `bench ${title}`, text, values: [...parameters, (page - 1) * per_page] })
  const counted = await app.pool.query({
    name: `bench ${title} count`,
    text: `SELECT count(*)::int AS total FROM deliveries WHERE ${where}`,
    values: parameters,
  })
  return { rows, total: counted.rows[0].total }
}

export const arms: Arm<Stage>[] = cases.flatMap((each) => [
  { name: 'ledger', case: each.title, run: async (stage: Stage, turn: number) => void (await listPage(stage, each, turn)) },
  { name: 'pg by hand', case: each.title, peer: true, run: async (stage: Stage, turn: number) => void (await byHand(stage, each, turn)) },
])

export const reach: Reach[] = cases.map(({ title }) => ({ case: title, arm: 'ledger', peer: 'pg by hand', ratio_at_most: 1.5 }))

/** Both return the same rows in the same order, and the same total. */
export async function check(stage: Stage): Promise<void> {
  for (const each of cases) {
    for (let turn = 0; turn < PAGES; turn++) {
      const [page, { rows, total }] = [await listPage(stage, each, turn), await byHand(stage, each, turn)]
      assert(total > 0)
      assert.equal(page.total, total)
      assert.deepEqual(
        page.data.map(({ id, status, created_at }) => [id, status, created_at]),
        rows.map(({ id, status, created_at }) => [id, status, created_at.toISOString()]),
      )
    }
  }
}

export async function explain(stage: Stage): Promise<Record<string, string>> {
  const plans: Record<string, string> = {}
  for (const { title, where, values } of cases) {
    const plan = await stage.app.pool.query(
      `EXPLAIN ANALYZE SELECT ${COLUMNS} FROM deliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${PER_PAGE}`,
      [stage.requester.team.id, ...values(stage)],
    )
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(text, /deliveries_team_id_(integration_id_)?created_at_id_idx/)
    plans[title] = text
  }
  return plans
}
