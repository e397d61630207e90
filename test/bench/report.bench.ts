import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import type { Citation } from '#domain/reports/compose.ts'
import { traceToFiles } from '#domain/reports/trace-to-files.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { redisIsHere } from '#test/support/redis.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { completeReport, openCaller, openOnRedis, openReportService, type ReportService, request } from './report-service.ts'

export const claim = 'A report is complete within three times what its own search and writes take by hand'

/** Reports that the team already has: the cost of one more does not grow with them. */
export const sizes = { small: [10, 100], full: [100, 1_000] } as const

/** The service with its queue in PostgreSQL, as it starts without settings, and in Redis, as in production. */
interface Stage {
  onPostgres: Service
  /** Null on a machine without a Redis server. */
  onRedis: Service | null
}

interface Service extends ReportService {
  caller: Caller
  /** A complete report, whose rows the other arm copies, and its event. */
  model: string
  event: string
}

export async function setup(bed: Bed): Promise<Stage> {
  return {
    onPostgres: await filled(bed, await openReportService(bed)),
    onRedis: redisIsHere ? await filled(bed, await openOnRedis(bed)) : null,
  }
}

async function filled(bed: Bed, opened: ReportService): Promise<Service> {
  const caller = await openCaller(opened)
  const model = await completeReport(opened, caller)
  const event = (await opened.app.pool.query("SELECT id FROM events WHERE name = 'report.completed'")).rows[0].id
  const service = { ...opened, caller, model, event }
  for (let reportCount = 1; reportCount < bed.size; reportCount++) await complete(service)
  return service
}

const complete = (service: Service) => completeReport(service, service.caller)

/** A busy hour: reports requested at this pace, whether or not earlier ones are complete. */
const A_SECOND = 20
const PACED = 40

/** The time of each of them. */
async function paced(service: Service): Promise<number[]> {
  const startedAt = performance.now()
  return Promise.all(
    Array.from({ length: PACED }, async (_, place) => {
      await pause((place * 1000) / A_SECOND - (performance.now() - startedAt))
      const requestedAt = performance.now()
      await complete(service)
      return performance.now() - requestedAt
    }),
  )
}

/** The same reads and the same rows, in as many transactions, with nothing between them. */
async function byHand({ app, caller, place, model, event }: Service): Promise<void> {
  const { window_start: start, window_end: end, radius_miles } = request
  const team_id = caller.team.id
  const id = randomUUID()
  await committed(app, [
    { name: 'bench_pending', text: PENDING, values: [id, team_id, model] },
    { name: 'bench_charge', text: CHARGE, values: [id, team_id] },
  ])
  const { records } = await searchArchive(app, place, { start, end, radius_miles })
  assert.ok(records.length > 0)
  await traceToFiles(app.pool, records.map(asCited), null)
  await committed(app, [
    { name: 'bench_complete', text: COMPLETE, values: [id, model] },
    { name: 'bench_findings', text: copyOf('findings', Object.keys(Prisma.FindingScalarFieldEnum)), values: [id, model] },
    { name: 'bench_records', text: copyOf('report_records', Object.keys(Prisma.ReportRecordScalarFieldEnum)), values: [id, model] },
    { name: 'bench_event', text: EVENT, values: [team_id, event] },
  ])
}

async function committed({ pool }: App, statements: pg.QueryConfig[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    for (const statement of statements) await client.query(statement)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

/** The columns of a citation that its tracing to a file reads. */
const asCited = (record: NearbyRecord) => ({ record, view: { provenance: {} } }) as Citation

const PENDING = `
  INSERT INTO reports (id, team_id, query, window_start, window_end, radius_miles, plan_tier, layout, issued_at)
  SELECT $1::uuid, $2::uuid, query, window_start, window_end, radius_miles, plan_tier, layout, now() FROM reports WHERE id = $3`
const CHARGE = `
  WITH team AS (
    UPDATE teams SET balance = balance - 1, used_this_period = used_this_period + 1, ledger_sequence = ledger_sequence + 1
     WHERE id = $2 AND balance > 0 RETURNING balance, ledger_sequence)
  INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, report_id, created_at)
  SELECT $2::uuid, ledger_sequence, 'spend', -1, balance, 'By hand', $1::uuid, now() FROM team`
const FOUND = [
  ...['status', 'street', 'city', 'state', 'postal_code', 'county', 'county_fips', 'latitude', 'longitude', 'precision', 'event_count'],
  ...['coverage_complete', 'coverage_provisional', 'coverage_summary', 'sources_searched', 'source_vintages', 'headline', 'fingerprint'],
  ...['sample', 'generated_at', 'observation_count'],
].join(', ')
const COMPLETE = `UPDATE reports SET (${FOUND}) = (SELECT ${FOUND} FROM reports WHERE id = $2) WHERE id = $1`
const EVENT = `
  INSERT INTO events (id, team_id, name, subject, exposure_ids, payload)
  SELECT gen_random_uuid(), $1::uuid, name, subject, exposure_ids, payload FROM events WHERE id = $2`

/** Copies one report's rows for another. */
function copyOf(table: string, columns: string[]): string {
  const copied = columns.filter((column) => column !== 'report_id').join(', ')
  return `INSERT INTO ${table} (report_id, ${copied}) SELECT $1::uuid, ${copied} FROM ${table} WHERE report_id = $2`
}

const queues = {
  'queue in PostgreSQL': ({ onPostgres }: Stage) => onPostgres,
  'queue in Redis': ({ onRedis }: Stage) => onRedis as Service,
}
const missing = (title: string) => (stage: Stage) => (queues[title as keyof typeof queues](stage) ? null : 'no redis-server')

export const arms: Arm<Stage>[] = Object.entries(queues).flatMap(([title, service]): Arm<Stage>[] => [
  { name: 'accepted to complete', case: title, missing: missing(title), run: async (stage) => void (await complete(service(stage))) },
  { name: 'its search and writes by hand', case: title, peer: true, missing: missing(title), run: (stage) => byHand(service(stage)) },
  {
    name: 'accepted to complete',
    case: `${title}, ${A_SECOND} a second`,
    missing: missing(title),
    operations: 1,
    run: async (stage) => ({ value: await paced(service(stage)) }),
  },
])

export const reach: Reach[] = Object.keys(queues).flatMap((title): Reach[] => [
  { case: title, arm: 'accepted to complete', peer: 'its search and writes by hand', ratio_at_most: 3 },
  { case: `${title}, ${A_SECOND} a second`, arm: 'accepted to complete', at_most: 500, percentile: 95 },
])

export async function check({ onPostgres, onRedis }: Stage): Promise<void> {
  for (const service of [onPostgres, onRedis]) if (service) await checkRows(service)
}

async function checkRows(service: Service): Promise<void> {
  const id = await complete(service)
  const report = await service.app.db.report.findUniqueOrThrow({ where: { id } })
  assert.ok(report.event_count > 0 && report.fingerprint)
  const rows = async () => {
    const counted = await service.app.pool.query(
      `SELECT (SELECT count(*) FROM reports WHERE status = 'complete')::int AS reports, (SELECT count(*) FROM findings)::int AS findings,
              (SELECT count(*) FROM report_records)::int AS records, (SELECT count(*) FROM credit_transactions)::int AS charges,
              (SELECT count(*) FROM events)::int AS events`,
    )
    return Object.values<number>(counted.rows[0])
  }
  const [before, afterService] = [await rows(), await complete(service).then(rows)]
  const [, afterPeer] = [await byHand(service), await rows()]
  const added = (from: number[], to: number[]) => to.map((count, place) => count - (from[place] as number))
  assert.deepEqual(added(afterService, afterPeer), added(before, afterService))
}
