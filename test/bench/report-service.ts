import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { abilities } from '#domain/access/abilities.ts'
import type { Caller } from '#domain/access/caller.ts'
import { scopedDb } from '#domain/access/scope.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { locate } from '#domain/places/locate.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { topUp } from '#domain/plans/credits.ts'
import { planOf } from '#domain/plans/plans.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { requestReport } from '#domain/reports/request.ts'
import { configFor } from '#test/support/config-for.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { startRedis } from '#test/support/redis.ts'
import { startWorkers } from '#workers/main.ts'
import type { Bed } from './frame.ts'

/**
 * A service that makes reports of the sample, on a database of its own, because relays that share an outbox would
 * take each other's jobs.
 */
export interface ReportService {
  app: App
  place: LocatedPlace
  /** Called when a job is staged. */
  bell: pg.Client
}

export const request = {
  address: sampleStorm.address,
  window_start: sampleStorm.window_start,
  window_end: sampleStorm.window_end,
  radius_miles: sampleStorm.radius_miles,
}
const CREDITS = 100_000
/** In case a notification is lost. */
const LOOK_EVERY_MS = 50

/** With its queue in a Redis of its own. */
export async function openOnRedis(bed: Bed): Promise<ReportService> {
  const server = await startRedis()
  bed.closing(() => server.stop())
  return openReportService(bed, server.url)
}

/** With its queue in that Redis, or in PostgreSQL if none is given. */
export async function openReportService(bed: Bed, redis_url: string | null = null): Promise<ReportService> {
  const { url } = await bed.database()
  const app = await openApp(configFor({ database_url: url, redis_url, home: bed.folder, blobs: path.join(bed.folder, 'blobs') }), {
    printer: blankPrinter,
  })
  bed.closing(() => closeApp(app))
  await seedPlaces(app.pool)
  await seedSample(app)
  // Documents are another claim's subject: this one is about the report.
  const workers = await startWorkers(app, ['report.generate'])
  bed.closing(() => workers.stop())
  const located = await locate(app, request.address)
  if (!('place' in located)) throw new Error('the address of the sample is not located')
  const bell = new pg.Client({ connectionString: url })
  await bell.connect()
  bed.closing(() => bell.end())
  bell.setMaxListeners(0)
  await bell.query('LISTEN outbox')
  return { app, place: located.place, bell }
}

/** A caller of a new team with every ability and enough credits. */
export async function openCaller({ app }: ReportService): Promise<Caller> {
  const team = await createTeam(app.db, app.clock, { name: 'Bench', plan: 'enterprise' })
  await topUp(app.db, team.id, CREDITS, app.clock.now())
  const found = await app.db.team.findUniqueOrThrow({ where: { id: team.id } })
  return {
    team: { id: found.id, name: found.name, timezone: found.timezone, created_at: found.created_at, on_trial: false, lapsed: false },
    plan: planOf(found, app.clock.now()),
    abilities: new Set(abilities.map(({ name }) => name)),
    token: { id: found.id, hash: 'bench', name: 'bench', prefix: 'wt_bench0', expires_at: null, last_used_at: app.clock.now() },
    person: null,
    db: scopedDb(app.db, found.id),
    admitAgain: () => Promise.reject(new Error('nothing waits here')),
    requireAdmitted: async () => {},
  }
}

/**
 * From the request to the row with the status complete. The commit that completes a report stages its document and
 * is notified: polling would take part of the measured time.
 */
export async function completeReport({ app, bell }: ReportService, caller: Caller): Promise<string> {
  const { report } = await requestReport(app, caller, request, null)
  for (;;) {
    const notified = once(bell, 'notification')
    const { rows } = await app.pool.query<{ status: string }>({
      name: 'bench_status',
      text: 'SELECT status FROM reports WHERE id = $1',
      values: [report.id],
    })
    if (rows[0]?.status === 'complete') return report.id
    if (rows[0]?.status === 'failed') throw new Error('the report failed')
    await Promise.race([notified, pause(LOOK_EVERY_MS)])
  }
}
