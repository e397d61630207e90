import assert from 'node:assert'
import { performance } from 'node:perf_hooks'
import type { Caller } from '#domain/access/caller.ts'
import { redisIsHere } from '#test/support/redis.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { completeReport, openCaller, openOnRedis, openReportService, type ReportService } from './report-service.ts'

export const claim = "A report waits no longer behind another team's order of thousands than twice what it takes alone"

/** Waiting reports of the other team. */
export const sizes = { small: [200, 2_000], full: [1_000, 10_000] } as const

interface Stage {
  service: ReportService
  caller: Caller
  other: Caller
  /** A complete report, whose request the order repeats. */
  model: string
  size: number
}

export async function setup(bed: Bed): Promise<Stage> {
  const service = await (redisIsHere ? openOnRedis(bed) : openReportService(bed))
  const [caller, other] = [await openCaller(service), await openCaller(service)]
  return { service, caller, other, model: await completeReport(service, caller), size: bed.size }
}

/** Reports of one operation, one after the other: enough for a slow one to show. */
const IN_A_ROW = 20
const SLOWEST = 0.95

async function slowest({ service, caller }: Stage): Promise<number> {
  const took: number[] = []
  while (took.length < IN_A_ROW) {
    const startedAt = performance.now()
    await completeReport(service, caller)
    took.push(performance.now() - startedAt)
  }
  return took.sort((one, next) => one - next)[Math.ceil(SLOWEST * IN_A_ROW) - 1] as number
}

/** Adds pending reports of the other team up to the size, counting those that still wait. */
async function order({ service: { app }, other, model, size }: Stage): Promise<void> {
  await app.pool.query({ text: ORDER, values: [model, other.team.id, size - (await waiting(app, other))] })
}

const ORDER = `
  WITH ordered AS (
    INSERT INTO reports (id, team_id, query, window_start, window_end, radius_miles, plan_tier, layout, issued_at)
    SELECT gen_random_uuid(), $2::uuid, query, window_start, window_end, radius_miles, plan_tier, layout, now()
      FROM reports CROSS JOIN generate_series(1, $3) WHERE id = $1 RETURNING id)
  INSERT INTO outbox (name, payload) SELECT 'report.generate', jsonb_build_object('report_id', id) FROM ordered`

async function waiting(app: ReportService['app'], other: Caller): Promise<number> {
  const { rows } = await app.pool.query("SELECT count(*)::int AS count FROM reports WHERE team_id = $1 AND status = 'pending'", [
    other.team.id,
  ])
  return rows[0].count
}

/** Removes the reports that still wait: the queue's jobs find nothing to do. */
async function cancel({ service: { app }, other }: Stage): Promise<void> {
  await app.pool.query(
    "UPDATE reports SET status = 'failed', failure_reason = 'internal_error' WHERE team_id = $1 AND status = 'pending'",
    [other.team.id],
  )
  await app.pool.query("DELETE FROM outbox WHERE name = 'report.generate'")
}

export const arms: Arm<Stage>[] = [
  {
    name: "p95 of a report behind another team's order",
    operations: 1,
    run: async (stage) => {
      await order(stage)
      const value = await slowest(stage)
      assert.ok((await waiting(stage.service.app, stage.other)) > 0, 'the order was done before the reports')
      await cancel(stage)
      return { value }
    },
  },
  { name: 'p95 of a report alone', peer: true, operations: 1, run: async (stage) => ({ value: await slowest(stage) }) },
]

export const reach: Reach[] = [{ arm: "p95 of a report behind another team's order", peer: 'p95 of a report alone', ratio_at_most: 2 }]

/** The waiting reports are done, too: no team starves. */
export async function check(stage: Stage): Promise<void> {
  const { service, other } = stage
  await order(stage)
  const before = await waiting(service.app, other)
  await slowest(stage)
  assert.ok((await waiting(service.app, other)) < before)
  await cancel(stage)
}
