import { beforeAll, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { checkWindow } from '#domain/reports/check-request.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let caller: Caller
beforeAll(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world))
})

const oklahoma = { latitude: 35.4676, longitude: -97.5164 }
const guam = { latitude: 13.4443, longitude: 144.7937 }

/** Returns the window of a report that was requested at a given time. */
async function windowAt(now: string, place: { latitude: number; longitude: number }, window_end: string) {
  world.clock.set(now)
  const { report } = await requestReport(world.app, caller, { ...place, window_start: '2026-05-01', window_end, radius_miles: 5 }, null)
  await world.drain()
  const { window } = await findReport(world.app, caller, report.id)
  return [window.start, window.end]
}

it('ends a window at the place’s own today if it was requested by the date of a place ahead of it', async () => {
  // 21 May began at 14:00 in Guam and at 00:00 in UTC. In Oklahoma it is the evening of the 20th.
  expect(await windowAt('2026-05-20T15:00:00Z', oklahoma, '2026-05-21')).toEqual(['2026-05-01', '2026-05-20'])
  expect(await windowAt('2026-05-21T04:59:59Z', oklahoma, '2026-05-21')).toEqual(['2026-05-01', '2026-05-20'])
  expect(await windowAt('2026-05-21T05:00:00Z', oklahoma, '2026-05-21')).toEqual(['2026-05-01', '2026-05-21'])
})

it('leaves a window that ends on or before that day unchanged', async () => {
  expect(await windowAt('2026-05-20T15:00:00Z', oklahoma, '2026-05-20')).toEqual(['2026-05-01', '2026-05-20'])
  expect(await windowAt('2026-05-20T15:00:00Z', oklahoma, '2026-05-12')).toEqual(['2026-05-01', '2026-05-12'])
  expect(await windowAt('2026-05-20T15:00:00Z', guam, '2026-05-21')).toEqual(['2026-05-01', '2026-05-21'])
})

it('refuses one that ends after the latest current date in the United States', async () => {
  world.clock.set('2026-05-20T13:59:59Z')
  const input = { ...oklahoma, window_start: '2026-05-01', window_end: '2026-05-21', radius_miles: 5 }
  await expect(requestReport(world.app, caller, input, null)).rejects.toMatchObject({ code: 'validation_failed' })
})

it("refuses a window whose first day had not begun everywhere in the United States at the report's point in time", () => {
  const faultsAt = (as_of: string) => {
    const faults = gatherFaults()
    checkWindow({ window_start: '2025-05-28', window_end: '2025-05-30', as_of: new Date(as_of) }, faults, new Date('2026-01-01T00:00:00Z'))
    return faults.found.as_of ?? []
  }
  // In Oklahoma it is the evening of the 27th, so the window would end before it starts. The 28th begins in American Samoa at 11:00.
  expect(faultsAt('2025-05-28T02:00:00Z')).toEqual(['The moment to report as of must not be before the window starts.'])
  expect(faultsAt('2025-05-28T10:59:59Z')).toHaveLength(1)
  expect(faultsAt('2025-05-28T11:00:00Z')).toEqual([])
})
