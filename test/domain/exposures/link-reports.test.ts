import { expect, it } from 'vitest'
import { findExposure } from '#domain/exposures/find.ts'
import { linkReports } from '#domain/exposures/link-reports.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

it("names the property's newest complete report whose window contains the day, and follows changes", async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const property = await aKeptProperty(world, team)
  const [within, outside, otherPlace] = [
    await anExposure(world, team, { property_id: property.id, date: '2026-05-20' }),
    await anExposure(world, team, { property_id: property.id, date: '2026-03-01' }),
    await anExposure(world, team, { property_id: (await aKeptProperty(world, team)).id, date: '2026-05-20' }),
  ]
  const shown = async (id: number) => findExposure(world.app, caller, id)
  const before = await Promise.all([within, outside, otherPlace].map(shown))
  const report = async () => {
    world.clock.advance(60_000)
    const input = { address: 'Moore, OK', window_start: '2026-05-01', window_end: '2026-05-31', property_id: property.id }
    const { id } = (await requestReport(world.app, caller, input, null)).report
    await world.drain()
    return id
  }

  const first = await report()
  const named = await shown(within)
  expect(named).toMatchObject({ report_id: first, links: { report: expect.stringMatching(`/reports/${first}$`) } })
  expect(named.last_seen_at > (before[0]?.last_seen_at ?? '')).toBe(true)
  expect(await Promise.all([outside, otherPlace].map(shown))).toEqual(before.slice(1))
  const second = await report()
  expect(await shown(within)).toMatchObject({ report_id: second })
  await removeReport(world.app, caller, second)
  expect(await shown(within)).toMatchObject({ report_id: first })
  await removeReport(world.app, caller, first)
  const last = await shown(within)
  expect(last).toMatchObject({ report_id: null, links: { report: null } })
  expect(last.last_seen_at > named.last_seen_at).toBe(true)
})

/** A property with a storm day, and functions to make and read reports on it. */
async function aReportedProperty(world: World) {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const property_id = (await aKeptProperty(world, team)).id
  const exposure_id = await anExposure(world, team, { property_id, date: '2026-05-20' })
  return {
    ...{ team, caller, property_id, exposure_id },
    async report(window_start = '2026-05-01') {
      world.clock.advance(60_000)
      const input = { address: 'Moore, OK', window_start, window_end: '2026-05-31', property_id }
      const { id } = (await requestReport(world.app, caller, input, null)).report
      await world.drain()
      return id
    },
    reported: async (id = exposure_id) => (await findExposure(world.app, caller, id)).report_id,
  }
}

/** Starts the work and waits until it is done or blocked by another transaction. The returned function waits for its end. */
async function begin(world: World, work: () => Promise<unknown>): Promise<() => Promise<unknown>> {
  let done = false
  const working = work().finally(() => {
    done = true
  })
  working.catch(() => {})
  await waitUntil(async () => done || (await lockWaits(world.owner)) > 0)
  return () => working
}

it('names no deleted report if two are removed at once', async () => {
  const world = await openWorld()
  const { caller, report, reported } = await aReportedProperty(world)
  // It has another fingerprint, so its removal is recorded in another row.
  const [older, newer] = [await report('2026-04-01'), await report()]
  let second: (() => Promise<unknown>) | undefined
  const blobs = {
    ...world.app.blobs,
    async clear() {
      second = await begin(world, () => removeReport(world.app, caller, older))
    },
  }
  await removeReport({ ...world.app, blobs }, caller, newer)
  await second?.()
  expect(await reported()).toBeNull()
})

it('names a report that is completed while an older one is removed', async () => {
  const world = await openWorld()
  const { team, caller, property_id, report, reported } = await aReportedProperty(world)
  const [older, newer] = [await report(), await report()]
  await world.owner.query(`UPDATE reports SET status = 'pending' WHERE id = $1`, [newer])
  await world.app.db.$transaction((tx) => linkReports(tx, team.id, property_id, world.clock.now()))
  expect(await reported()).toBe(older)
  const removing = await world.app.db.$transaction(async (tx) => {
    await tx.report.update({ where: { id: newer }, data: { status: 'complete' } })
    await linkReports(tx, team.id, property_id, world.clock.now())
    return begin(world, () => removeReport(world.app, caller, older))
  })
  await removing()
  expect(await reported()).toBe(newer)
})

it('names a report that is completed while the storm day is detected', async () => {
  const world = await openWorld()
  const { team, property_id, report, reported } = await aReportedProperty(world)
  const completed = await report()
  await world.owner.query(`UPDATE reports SET status = 'pending' WHERE id = $1`, [completed])
  const found = await world.owner.connect()
  await found.query('BEGIN')
  await found.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [team.id])
  const { rows } = await found.query<{ id: number }>(
    `INSERT INTO exposures (team_id, kind, date, property_id, headline, evidence, record_ids, first_seen_at, last_seen_at)
     SELECT team_id, kind, '2026-05-21', property_id, headline, evidence, record_ids, first_seen_at, last_seen_at FROM exposures WHERE property_id = $1
     RETURNING id`,
    [property_id],
  )
  const publishing = await begin(world, () =>
    world.app.db.$transaction(async (tx) => {
      await tx.report.update({ where: { id: completed }, data: { status: 'complete' } })
      await linkReports(tx, team.id, property_id, world.clock.now())
    }),
  )
  await found.query('COMMIT')
  found.release()
  await publishing()
  expect(await reported(rows[0]?.id)).toBe(completed)
})
