import { beforeEach, expect, test } from 'vitest'
import { authenticate } from '#domain/access/authenticate.ts'
import { once } from '#domain/access/idempotency.ts'
import { scopedDb } from '#domain/access/scope.ts'
import { validatorsOf } from '#domain/archive/feeds/feed-states.ts'
import { DELETE_UNUSED_FILES } from '#domain/archive/ingest/archive-files.ts'
import { tierIds } from '#domain/closed-sets.ts'
import { openLog } from '#domain/engines/log.ts'
import { runDurable, runWithRetry, stageDurable, TRIED_AGAIN } from '#domain/kernel/durable-jobs.ts'
import { returnStarts } from '#domain/kernel/starts.ts'
import { adjust } from '#domain/plans/credits.ts'
import { type Feature, tierOf } from '#domain/plans/plans.ts'
import type { Team } from '#generated/prisma/client.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#test/support/clock.ts'
import { aCaller, aPendingReport, aTeam, aToken } from '#test/support/factories.ts'
import { planOf } from '#test/support/plan-of.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { sweep } from '#workers/sweeper.ts'

let world: World
let team: Team
beforeEach(async () => {
  await world?.close()
  // Counts that Redis expires itself, if it is used.
  world = await openWorld({ config: { redis_url: null } })
  // After noon in every time zone of the country, so that no team's digest is due; not before the database's own timestamps.
  const afternoon = new Date(`${world.clock.now().toISOString().slice(0, 10)}T23:30:00Z`)
  if (afternoon > world.clock.now()) world.clock.set(afternoon)
  team = await aTeam(world, { credits: 5 })
})

const aReport = () => aPendingReport(world.app.db, team, world.clock.now())
const staged = async () =>
  (await world.app.db.outboxJob.findMany()).map(({ name, payload }) => [name, (payload as { report_id: string }).report_id])
const read = (id: string) => world.app.db.report.findUniqueOrThrow({ where: { id } })

test('a report whose job is lost is issued again after 60 s, and again after another 60 s', async () => {
  const id = await aReport()
  world.clock.advance(60 * SECOND)
  await sweep(world.app)
  expect(await staged()).toEqual([])
  world.clock.advance(1)
  await sweep(world.app)
  await sweep(world.app)
  expect(await staged()).toEqual([['report.generate', id]])
  expect((await read(id)).issued_at).toEqual(world.clock.now())
  world.clock.advance(61 * SECOND)
  await Promise.all([sweep(world.app), sweep(world.app), sweep(world.app)])
  expect(await staged()).toHaveLength(2)
})

test('a report pending for more than 10 minutes fails, and its credit is returned', async () => {
  const id = await aReport()
  world.clock.advance(10 * MINUTE)
  await sweep(world.app)
  expect((await read(id)).status).toBe('pending')
  world.clock.advance(1)
  await Promise.all([sweep(world.app), sweep(world.app)])
  expect(await read(id)).toMatchObject({ status: 'failed', failure_reason: 'timed_out' })
  expect(await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ balance: 5, used_this_period: 0 })
  expect(await world.app.db.creditTransaction.count({ where: { kind: 'refund' } })).toBe(1)
})

test('late reports of a team that cannot be failed do not keep those of other teams pending', async () => {
  const other = await aTeam(world, { credits: 5 })
  const stuck = await aReport()
  const id = await aPendingReport(world.app.db, other, world.clock.now())
  // The refund would take the balance beyond the integer range.
  await world.owner.query(
    `WITH team AS (UPDATE teams SET balance = $2, ledger_sequence = ledger_sequence + 1 WHERE id = $1 RETURNING ledger_sequence, balance)
     INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description)
     SELECT $1, ledger_sequence, 'top_up', $2 - 4, balance, 'before there was a limit' FROM team`,
    [team.id, 2 ** 31 - 1],
  )
  world.clock.advance(10 * MINUTE + 1)
  const lines: string[] = []
  const log = openLog('error', { write: (line) => lines.push(line) })
  await expect(sweep({ ...world.app, log })).rejects.toThrow('timeOutReports')
  expect([(await read(stuck)).status, (await read(id)).status]).toEqual(['pending', 'failed'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { team_id: team.id, msg: 'the late reports of a team could not be failed' },
    { step: 'timeOutReports', err: { message: 'the late reports of a team could not be failed (1 team)' } },
  ])
  await adjust(world.app.db, team.id, -1, 'room for the refund', world.clock.now())
  await sweep(world.app)
  expect((await read(stuck)).status).toBe('failed')
})

test('expired rows are deleted', async () => {
  const caller = await aCaller(world, team)
  await authenticate(world.app, `Bearer ${(await aToken(world, team)).token}`)
  await once(caller, { key: 'k', method: 'POST', path: '/', body: null }, async () => 'done')
  await world.app.db.event.create({ data: { team_id: team.id, name: 'report.completed', subject: 's', exposure_ids: [], payload: {} } })
  const kept = async () => {
    const db = scopedDb(world.app.db, team.id)
    return [await db.rateHit.count(), await db.idempotencyKey.count(), await db.event.count()]
  }
  world.clock.advance(MINUTE)
  await sweep(world.app)
  expect(await kept()).toEqual([1, 1, 1])
  world.clock.advance(2 * MINUTE)
  await sweep(world.app)
  expect(await kept()).toEqual([0, 1, 1])
  world.clock.advance(24 * HOUR)
  await sweep(world.app)
  expect(await kept()).toEqual([0, 0, 1])
  world.clock.advance(90 * DAY)
  await sweep(world.app)
  expect(await kept()).toEqual([0, 0, 0])
})

test('monitoring history is deleted after 90 days, except rows that are shown and rows that lanes continue from', async () => {
  const { pool } = world.app
  const insert = (into: string) => pool.query(`INSERT INTO ${into}`, [world.clock.now()])
  await insert(`monitoring_runs (lane, status, started_at) VALUES ('record', 'complete', $1::timestamptz - interval '4 hours'),
    ('record', 'complete', $1::timestamptz - interval '3 hours'), ('record', 'failed', $1::timestamptz - interval '2 hours')`)
  await insert(`monitoring_runs (lane, status, started_at)
    SELECT 'warnings', 'complete', $1::timestamptz - make_interval(mins => n) FROM generate_series(1, 102) n`)
  await insert(`import_runs (id, source, file_name, status, started_at)
    SELECT gen_random_uuid(), 'noaa_mesh', n, 'complete', $1::timestamptz - make_interval(mins => n) FROM generate_series(1, 22) n`)
  await insert(
    `feed_states (url, source, checked_at) SELECT url, 'nws_lsr', $1 FROM unnest('{nws_lsr,https://asked.once,https://asked.again}'::text[]) url`,
  )
  const kept = async () => {
    const { rows } = await pool.query(`SELECT
      ARRAY(SELECT status FROM monitoring_runs WHERE lane = 'record' ORDER BY started_at) AS record,
      (SELECT count(*)::int FROM monitoring_runs WHERE lane = 'warnings') AS warnings,
      (SELECT count(*)::int FROM import_runs) AS imports,
      ARRAY(SELECT url FROM feed_states ORDER BY url) AS states`)
    return rows[0]
  }
  const all = await kept()
  world.clock.advance(89 * DAY)
  await validatorsOf(world.app, 'https://asked.again')
  await sweep(world.app)
  expect(await kept()).toEqual(all)
  world.clock.advance(DAY + 1)
  await sweep(world.app)
  expect(await kept()).toEqual({ record: ['complete'], warnings: 100, imports: 20, states: ['https://asked.again', 'nws_lsr'] })
})

test('the files that nothing came of are found without reading all files', async () => {
  // Enough that any other way costs more, whatever is known of the table.
  await world.owner.query(`INSERT INTO archive_files (source, name, fetched_by, fetched_at, used)
    SELECT 'noaa_mesh', n, 'system', now(), true FROM generate_series(1, 2000) n`)
  await world.owner.query('ANALYZE archive_files')
  expect(await planOf(world.owner, DELETE_UNUSED_FILES, 'now()')).toContain('archive_files_unused')
  await world.owner.query("DELETE FROM archive_files WHERE source = 'noaa_mesh' AND fetched_by = 'system'")
})

test('a detection whose job is lost is issued again until it is done, and it is done once', async () => {
  const { pool, db } = world.app
  const subject_id = '00000000-0000-7000-8000-000000000001'
  await db.$transaction((tx) => stageDurable(tx, 'detection.backfill', { subject: 'property', subject_id }))
  const issued = async () => (await pool.query<{ payload: object }>('SELECT payload FROM outbox')).rows.map(({ payload }) => payload)
  const job = { subject: 'property', subject_id, lasting_id: 1 }
  expect(await issued()).toEqual([job])
  await pool.query("UPDATE lasting_jobs SET due_at = due_at - interval '61 seconds'")
  await sweep(world.app)
  expect(await issued()).toEqual([job])

  await pool.query('DELETE FROM outbox')
  await Promise.all([sweep(world.app), sweep(world.app)])
  await sweep(world.app)
  expect(await issued()).toEqual([job])

  let runs = 0
  const run = () => runDurable(world.app, 1, async () => runs++)
  await expect(runDurable(world.app, 1, () => Promise.reject(new Error('lost the database')))).rejects.toThrow('lost')
  await run()
  await run()
  expect(runs).toBe(1)
  await pool.query('DELETE FROM outbox')
  await sweep(world.app)
  expect(await issued()).toEqual([])
})

test('a durable job whose process dies each time is issued once an hour in the end; failing and stopping are not counted', async () => {
  const { pool, db } = world.app
  const property_id = '00000000-0000-7000-8000-000000000001'
  await db.$transaction((tx) => stageDurable(tx, 'property.locate', { property_id }))
  const starts = async () => (await pool.query<{ starts: number }>('SELECT starts FROM lasting_jobs')).rows.map((row) => row.starts)
  /** Starts the job as a process that dies would: it never ends. */
  const die = () => new Promise<void>((started) => void runDurable(world.app, 1, () => new Promise(() => started())))
  for (let death = 1; death <= 19; death++) await die()
  expect(await starts()).toEqual([19])
  await expect(runDurable(world.app, 1, () => Promise.reject(new Error('fails')))).rejects.toThrow('fails')
  expect(await starts()).toEqual([0])
  for (let death = 1; death <= 20; death++) await die()
  await returnStarts(world.app)
  expect(await starts()).toEqual([19])
  const dueIn = async () =>
    (await pool.query('SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM lasting_jobs')).rows[0].minutes
  await die()
  expect([await starts(), await dueIn()]).toEqual([[20], 1])
  await die()
  expect([await starts(), await dueIn()]).toEqual([[21], 60])
  // The queue itself repeats the job of a dead process.
  expect(await runDurable(world.app, 1, () => die())).toBe(TRIED_AGAIN)
  expect(await starts()).toEqual([21])
  await pool.query("UPDATE lasting_jobs SET due_at = due_at - interval '61 minutes'")
  await pool.query('DELETE FROM outbox')
  await sweep(world.app)
  expect(await dueIn()).toBe(1)
  await runDurable(world.app, 1, async () => {})
  expect(await starts()).toEqual([])
})

test('work that waits for an external service is tried again after 1, 2, 4 and 8 minutes, even if the queue is lost', async () => {
  const { pool, db } = world.app
  const property_id = '00000000-0000-7000-8000-000000000001'
  await db.$transaction((tx) => stageDurable(tx, 'property.locate', { property_id }))
  const down = () => runWithRetry(world.app, 1, () => Promise.reject(new Error('the geocoder is down')))
  const waits = async () => {
    const { rows } = await pool.query('SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM lasting_jobs')
    return rows.map(({ minutes }) => minutes)
  }
  for (const minutes of [1, 2, 4, 8]) {
    await down()
    expect(await waits()).toEqual([minutes])
    await pool.query('DELETE FROM outbox')
    await sweep(world.app)
    expect(await db.outboxJob.count()).toBe(0)
    await pool.query('UPDATE lasting_jobs SET due_at = due_at - make_interval(mins => $1)', [minutes])
    await sweep(world.app)
    expect(await db.outboxJob.findMany({ select: { name: true, payload: true } })).toEqual([
      { name: 'property.locate', payload: { property_id, lasting_id: 1 } },
    ])
  }
  await expect(down()).rejects.toThrow('the geocoder is down')
  expect(await waits()).toEqual([])
  await down()
})

test('a failed step is logged by name, does not stop the others, and fails the sweep', async () => {
  const { pool, db } = world.app
  // A zone from some other time zone table: PostgreSQL cannot compute that team's morning.
  await pool.query("UPDATE teams SET timezone = 'US/Pacific-New' WHERE id = $1", [team.id])
  await authenticate(world.app, `Bearer ${(await aToken(world, team)).token}`)
  const lost = await aReport()
  world.clock.advance(3 * MINUTE)
  const lines: string[] = []
  const log = openLog('error', { write: (line) => lines.push(line) })
  await expect(sweep({ ...world.app, log })).rejects.toThrow('these steps of the sweep failed: stageDigests')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ step: 'stageDigests', msg: 'a step of the sweep failed' }])
  expect(await staged()).toEqual([['report.generate', lost]])
  expect(await db.rateHit.count()).toBe(0)
})

test('a document that is not printed yet is queued again if the tier prints documents', async () => {
  const { db } = world.app
  const complete = {
    status: 'complete' as const,
    fingerprint: '0'.repeat(64),
    headline: 'Nothing was found.',
    generated_at: world.clock.now(),
    latitude: 35,
  }
  const reports = new Map<string, string>()
  for (const plan_tier of tierIds) {
    const id = await aReport()
    await db.report.update({ where: { id }, data: { ...complete, plan_tier } })
    reports.set(id, plan_tier)
  }
  const printed = async () => {
    await db.outboxJob.deleteMany()
    world.clock.advance(MINUTE + SECOND)
    await sweep(world.app)
    return (await staged()).map(([name, id = '']) => [name, reports.get(id)]).sort()
  }
  const rendered = (...which: string[]) => which.map((tier) => ['report.render', tier])
  expect(await printed()).toEqual(rendered('business', 'enterprise', 'professional', 'starter'))

  const { includes } = tierOf('starter') as { includes: Record<Feature, boolean> }
  includes.pdf_export = false
  try {
    expect(await printed()).toEqual(rendered('business', 'enterprise', 'professional'))
  } finally {
    includes.pdf_export = true
  }
})
