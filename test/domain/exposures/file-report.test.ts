import { expect, it } from 'vitest'
import { findExposure } from '#domain/exposures/find.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

it('names the newest complete report of the property whose window holds the day, and moves when that changes', async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const property = await aKeptProperty(world, team)
  const [within, outside, elsewhere] = [
    await anExposure(world, team, { property_id: property.id, date: '2026-05-20' }),
    await anExposure(world, team, { property_id: property.id, date: '2026-03-01' }),
    await anExposure(world, team, { property_id: (await aKeptProperty(world, team)).id, date: '2026-05-20' }),
  ]
  const shown = async (id: number) => findExposure(world.app, caller, id)
  const before = await Promise.all([within, outside, elsewhere].map(shown))
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
  expect(await Promise.all([outside, elsewhere].map(shown))).toEqual(before.slice(1))
  const second = await report()
  expect(await shown(within)).toMatchObject({ report_id: second })
  await removeReport(world.app, caller, second)
  expect(await shown(within)).toMatchObject({ report_id: first })
  await removeReport(world.app, caller, first)
  const last = await shown(within)
  expect(last).toMatchObject({ report_id: null, links: { report: null } })
  expect(last.last_seen_at > named.last_seen_at).toBe(true)
})
