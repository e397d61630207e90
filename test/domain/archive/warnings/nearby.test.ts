import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listExposures } from '#domain/exposures/find.ts'
import { warningsNear } from '#domain/exposures/warnings.ts'
import { warningsOver } from '#domain/reports/warnings-over.ts'
import type { Team } from '#generated/prisma/client.ts'
import { readAlerts, type StatedWarning } from '#test/domain/archive/warnings/alerts.ts'
import { aCaller, aTeam } from '../../../support/factories.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { aProperty } from '../../exposures/storm.ts'

let world: World
let team: Team
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.owner.query('TRUNCATE warnings, import_runs CASCADE')
  world.clock.set('2026-01-11T05:00:00Z')
  team = await aTeam(world)
})

/** A winter storm warning over two counties until 06 UTC. */
const storm: StatedWarning = { action: 'NEW', sent: '2026-01-10T12:00:00Z', phenomenon: 'WS.W', shape: null, ends: '260111T0600Z' }
const dallas = { area: 'Dallas, TX', codes: ['TXC113'] }
const collin = { area: 'Collin, TX', codes: ['TXC085'] }
/** In Collin County. The next local day there begins at 06 UTC. */
const plano = { label: 'Plano', latitude: 33.1, longitude: -96.7 }
const nextDay = { start: '2026-01-11', end: '2026-01-11' }

describe('a warning without a polygon that ends in one county before the other', () => {
  const later: Record<string, StatedWarning[]> = {
    'by one product with two ends': [
      { ...storm, ...dallas, action: 'CON', sent: '2026-01-11T04:00:00Z' },
      { ...storm, ...collin, action: 'EXT', sent: '2026-01-11T04:00:00Z', ends: '260111T1800Z' },
    ],
    'by an extension of the other, then an update of the one': [
      { ...storm, ...collin, action: 'EXT', sent: '2026-01-11T03:00:00Z', ends: '260111T1800Z' },
      { ...storm, ...dallas, action: 'CON', sent: '2026-01-11T04:00:00Z' },
    ],
    'by an extension of the other, then a cancellation of the one': [
      { ...storm, ...collin, action: 'EXT', sent: '2026-01-11T03:00:00Z', ends: '260111T1800Z' },
      { ...storm, ...dallas, action: 'CAN', sent: '2026-01-11T04:00:00Z' },
    ],
  }
  it.each(Object.keys(later))('is over the other until its own end: %s', async (how) => {
    await readAlerts(world, { ...storm, ...dallas }, { ...storm, ...collin })
    for (const message of later[how] ?? []) await readAlerts(world, message)
    const over = await warningsOver(world.app, plano, nextDay, 'America/Chicago', null)
    expect(over.map(({ periods }) => periods)).toEqual([
      [{ from: new Date('2026-01-10T12:00:00Z'), until: new Date('2026-01-11T18:00:00Z') }],
    ])
    const { id } = await aProperty(world, team, plano)
    expect(await warningsNear(world.app.db, id, new Date('2026-01-11T08:00:00Z'))).toHaveLength(1)
  })

  it('is not shown as cancelled in the other', async () => {
    await aProperty(world, team, plano)
    await aProperty(world, team, { label: 'Dallas', latitude: 32.78, longitude: -96.8 })
    await readAlerts(world, { ...storm, ...dallas }, { ...storm, ...collin })
    await readAlerts(world, { ...storm, ...dallas, action: 'CAN', sent: '2026-01-11T04:00:00Z' })
    await world.drain()
    const { data } = await listExposures(world.app, await aCaller(world, team), { page: 1, per_page: 10 })
    expect(Object.fromEntries(data.map(({ subject, warning }) => [subject.name, warning?.cancelled_at]))).toEqual({
      Dallas: '2026-01-11T04:00:00Z',
      Plano: null,
    })
  })
})

describe('a warning that begins later than it is sent', () => {
  it('is over a place for a report only once it has begun', async () => {
    await readAlerts(world, { ...storm, ...collin, begins: '260111T0300Z' })
    const overAt = (time: string) => {
      world.clock.set(time)
      return warningsOver(world.app, plano, { start: '2026-01-10', end: '2026-01-10' }, 'America/Chicago', null)
    }
    expect(await overAt('2026-01-11T02:00:00Z')).toEqual([])
    expect((await overAt('2026-01-11T04:00:00Z')).map(({ periods }) => periods)).toEqual([
      [{ from: new Date('2026-01-11T03:00:00Z'), until: new Date('2026-01-11T06:00:00Z') }],
    ])
  })
})
