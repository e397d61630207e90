import { beforeAll, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { checkWindow, limitToPlan, type ReportRequest } from '#domain/reports/check-request.ts'
import { diffReports } from '#domain/reports/diff.ts'
import { findReport } from '#domain/reports/find.ts'
import { refreshReport } from '#domain/reports/refresh.ts'
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

it('reaches a date of loss that had not begun at the place once the report is compared or refreshed', async () => {
  world.clock.set('2026-05-20T15:00:00Z')
  const body = { ...oklahoma, window_start: '2026-05-01', window_end: '2026-05-21', date_of_loss: '2026-05-21', radius_miles: 5 }
  const { report } = await requestReport(world.app, caller, body, null)
  await world.drain()
  const { window, day_of_loss } = await findReport(world.app, caller, report.id)
  expect(window.end).toBe('2026-05-20')
  expect(day_of_loss?.statement).toBe('The date of loss, 2026-05-21, had not begun at this place when the archive was searched.')
  world.clock.set('2026-05-23T15:00:00Z')
  const { statements } = await diffReports(world.app, caller, report.id, null)
  const change = (name: string) => statements.find(({ field }) => field === name)
  expect(change('window.end')).toMatchObject({ old: '2026-05-20', new: '2026-05-21' })
  expect(change('day_of_loss.statement')?.new).toContain('On 2026-05-21, the date of loss, no record')
  const fresh = await refreshReport(world.app, caller, report.id)
  await world.drain()
  const refreshed = await findReport(world.app, caller, fresh.id)
  expect(refreshed.window.end).toBe('2026-05-21')
  expect((await diffReports(world.app, caller, fresh.id, null)).differs).toBe(false)
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

it("refuses a date of loss that had not begun anywhere in the United States at the report's point in time", () => {
  const faultsAt = (as_of: string) => {
    const faults = gatherFaults()
    const window = { window_start: '2025-05-01', window_end: '2025-05-30' }
    checkWindow({ ...window, date_of_loss: '2025-05-28', as_of: new Date(as_of) }, faults, new Date('2026-01-01T00:00:00Z'))
    return faults.found.date_of_loss ?? []
  }
  // The 28th begins in Guam at 14:00 of the day before.
  expect(faultsAt('2025-05-27T13:59:59Z')).toEqual(['The date of loss must not be after the moment to report as of.'])
  expect(faultsAt('2025-05-27T14:00:00Z')).toEqual([])
})

it("refuses a report as of a moment before the plan's first day, which would have an empty window", () => {
  const request = { window_start: '2020-01-01', window_end: '2027-06-01', radius_miles: 5 } as ReportRequest
  const plan = { ...caller.plan, lookback_years: 1 }
  const limit = (as_of: string) => limitToPlan({ plan }, { ...request, as_of: new Date(as_of) }, new Date('2027-06-10T12:00:00Z'))
  expect(limit('2026-06-10T11:00:00Z')).toMatchObject({ window_start: '2026-06-10', window_end: '2027-06-01', narrowed_by_plan: true })
  // In American Samoa it is still the 9th.
  expect(() => limit('2026-06-10T10:59:59Z')).toThrow(/looks back 1 year, to 2026-06-10/)
})
