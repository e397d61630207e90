import { beforeEach, expect, test } from 'vitest'
import type { LaneName, RunStatus } from '#domain/closed-sets.ts'
import { listRuns } from '#domain/monitoring/runs.ts'
import { HOUR, MINUTE } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
const start = new Date('2026-06-01T00:00:00Z')
const after = (ms: number) => new Date(start.getTime() + ms)

beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  world.clock.set(start)
})

const run = (columns: { lane: LaneName; status?: RunStatus; started_at: Date; finished_at?: Date; failure_reason?: string }) =>
  world.app.db.monitoringRun.create({ data: columns })
const states = async () => Object.fromEntries((await listRuns(world.app)).lanes.map(({ lane, state }) => [lane, state]))

test('an install that never monitored shows every lane as off', async () => {
  const { data, lanes } = await listRuns(world.app)
  expect(data).toEqual([])
  expect(lanes).toEqual([
    {
      object: 'monitoring_lane',
      lane: 'record',
      lane_label: 'Archived records',
      state: 'off',
      last_complete_at: null,
      watermark: null,
      expected_every_seconds: 3600,
    },
    {
      object: 'monitoring_lane',
      lane: 'warnings',
      lane_label: 'Official warnings',
      state: 'off',
      last_complete_at: null,
      watermark: null,
      expected_every_seconds: 60,
    },
    {
      object: 'monitoring_lane',
      lane: 'surfaces',
      lane_label: 'Radar surfaces',
      state: 'off',
      last_complete_at: null,
      watermark: null,
      expected_every_seconds: 600,
    },
  ])
})

test('a lane that was turned on and never ran is stalled', async () => {
  await world.close()
  world = await openWorld({ config: { contact: 'weather@example.com' } })
  expect(await states()).toEqual({ record: 'stalled', warnings: 'stalled', surfaces: 'stalled' })
})

test('a lane is running, not stalled, while its first run takes less than three intervals', async () => {
  await run({ lane: 'warnings', started_at: start })
  world.clock.set(after(3 * MINUTE))
  expect(await states()).toMatchObject({ warnings: 'running' })
  world.clock.set(after(3 * MINUTE + 1))
  expect(await states()).toMatchObject({ warnings: 'stalled' })
})

test('distinguishes quiet from stalled', async () => {
  await run({ lane: 'record', status: 'complete', started_at: start, finished_at: after(MINUTE) })
  await run({ lane: 'warnings', status: 'complete', started_at: start, finished_at: start })
  await run({ lane: 'surfaces', status: 'complete', started_at: start, finished_at: start })
  await run({
    lane: 'surfaces',
    status: 'failed',
    started_at: after(MINUTE),
    finished_at: after(MINUTE),
    failure_reason: 'the feed did not answer',
  })
  world.clock.set(after(3 * MINUTE))
  expect(await states()).toEqual({ record: 'quiet', warnings: 'quiet', surfaces: 'failing' })
  world.clock.set(after(3 * MINUTE + 1))
  expect(await states()).toMatchObject({ record: 'quiet', warnings: 'stalled' })
  await run({ lane: 'record', started_at: after(HOUR) })
  expect(await states()).toMatchObject({ record: 'running' })
  world.clock.set(after(3 * HOUR + MINUTE + 1))
  expect(await states()).toMatchObject({ record: 'stalled' })
})

test('lists at most a hundred runs with every key, newest first', async () => {
  await world.app.db.monitoringRun.createMany({
    data: Array.from({ length: 101 }, (_, minute) => ({ lane: 'warnings', started_at: after(minute * MINUTE) })),
  })
  await world.app.db.lane.create({ data: { lane: 'warnings', watermark: after(7) } })
  const { data, lanes } = await listRuns(world.app)
  expect(data).toHaveLength(100)
  expect(data[0]).toEqual({
    object: 'monitoring_run',
    lane: 'warnings',
    lane_label: 'Official warnings',
    status: 'running',
    started_at: after(100 * MINUTE).toISOString(),
    finished_at: null,
    watermark: null,
    candidates: 0,
    written: 0,
    notified: 0,
    failure_reason: null,
  })
  expect(lanes[1]?.watermark).toBe(after(7).toISOString())
})
