import { beforeEach, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { details } from '../archive/files.ts'
import { aProperty, aTerritory, box, exposures, north, storm } from '../exposures/storm.ts'
import { aRule, mails } from './alerts.ts'

let world: World
let team: Team
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  // Noon in Chicago.
  world.clock.set('2019-03-25T17:00:00Z')
  team = await aTeam(world)
})

const hail = (id: string, inches: string, miles = 1) => ({ EVENT_ID: id, MAGNITUDE: inches, ...north(miles) })
/** A storm after the places were checked. Their earlier days produced no alerts. */
async function found(rows: Parameters<typeof storm>[1], options?: Parameters<typeof storm>[2]): Promise<void> {
  await world.drain()
  await storm(world, rows, options)
}

describe('the mails of a rule', () => {
  it('are queued once per storm day and recipient, however often the day is detected and however it grows', async () => {
    await aProperty(world, team)
    const rule = await aRule(world, team, { least_hail_in: 1 }, ['ann@example.com', 'desk@example.com'])
    await found([hail('1', '1.25')])
    await found([hail('1', '1.25')])
    await found([hail('1', '1.25'), hail('2', '2.50')])
    const [day] = await exposures(world)
    expect(await mails(world)).toMatchObject(
      ['ann@example.com', 'desk@example.com'].map((email) => ({ rule_id: rule.id, email, exposure_ids: [day?.id] })),
    )
  })

  it('are queued when a day grows to meet the rule', async () => {
    await aProperty(world, team)
    await aRule(world, team, { least_hail_in: 2 })
    await found([hail('1', '1.25')])
    expect(await mails(world)).toEqual([])
    await found([hail('2', '2.00')])
    expect(await mails(world)).toHaveLength(1)
  })

  it.each([
    ['a smaller record nearer to the place', [hail('1', '2.00', 4), hail('3', '1.50', 0.5)]],
    ['the record again, nearer to the place', [hail('1', '2.00', 0.5), hail('2', '0.75', 4)]],
    ['wind instead of hail', [hail('1', '2.00', 4), { EVENT_ID: '2', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '', ...north(0.5) }]],
  ])('are queued when a day of the same size and number of reports has %s', async (_, corrected) => {
    world.clock.set('2019-08-01T17:00:00Z')
    await aProperty(world, team)
    await aRule(world, team, { least_hail_in: 1.5, greatest_miles: 1 })
    await found([hail('1', '2.00', 4), hail('2', '0.75', 3)], { whole_year: true, file_name: details(2019, '20190601') })
    expect(await mails(world)).toEqual([])
    await found(corrected, { whole_year: true, file_name: details(2019, '20190701') })
    expect(await exposures(world)).toMatchObject([{ reports: 2, largest_measured_in: 2 }])
    expect(await mails(world)).toHaveLength(1)
  })

  it('combine days that are found together, at most fifty days per mail', async () => {
    for (let n = 0; n < 51; n += 1) await aProperty(world, team, { label: `P${n}` })
    await aRule(world, team)
    await found([hail('1', '1.25')])
    expect((await mails(world)).map(({ exposure_ids }) => exposure_ids.length).toSorted()).toEqual([1, 50])
  })

  it('cover the places that the rule names', async () => {
    const west = await aProperty(world, team, { label: 'West', tags: ['west'] })
    const east = await aProperty(world, team, { label: 'East' })
    const north = await aTerritory(world, team, box(33, -97, 33.4, -96.6))
    const byTag = await aRule(world, team, { tag: 'west' })
    const one = await aRule(world, team, { property_id: east.id })
    const area = await aRule(world, team, { territory_id: north.id })
    const other = await aTeam(world)
    await aRule(world, other)
    await found([hail('1', '1.25')])
    const days = new Map((await exposures(world)).map(({ id, property_id, territory_id }) => [id, property_id ?? territory_id]))
    const named = (await mails(world)).map(({ rule_id, exposure_ids }) => [rule_id, exposure_ids.map((id) => days.get(id))])
    expect(new Map(named as [string, string[]][])).toEqual(
      new Map([
        [byTag.id, [west.id]],
        [one.id, [east.id]],
        [area.id, [north.id]],
      ]),
    )
  })

  it('are not queued for an inactive rule, an unsubscribed or unconfirmed recipient, or a day recorded quietly', async () => {
    await aProperty(world, team)
    await aRule(world, team, { active: false })
    const rule = await aRule(world, team, {}, ['left@example.com', 'new@example.com', 'desk@example.com'])
    await world.app.db.alertRecipient.updateMany({ where: { email: 'left@example.com' }, data: { stopped_at: new Date() } })
    await world.app.db.alertAddress.updateMany({ where: { email: 'new@example.com' }, data: { confirmed_at: null } })
    await found([hail('1', '1.25')], { quiet: true })
    expect(await mails(world)).toEqual([])
    await found([hail('2', '1.50')])
    expect(await mails(world)).toMatchObject([{ rule_id: rule.id, email: 'desk@example.com' }])
  })

  it('are not queued on a plan without alerts', async () => {
    await aProperty(world, team)
    await aRule(world, team)
    await world.app.db.team.update({ where: { id: team.id }, data: { plan: 'free' } })
    await found([hail('1', '1.25')])
    expect(await exposures(world)).toHaveLength(1)
    expect(await mails(world)).toEqual([])
  })

  it('wait for the end of quiet hours or the morning digest, and days with the same send time share a mail', async () => {
    world.clock.set('2019-03-25T04:00:00Z')
    for (const label of ['One', 'Two']) await aProperty(world, team, { label, watch_radius_miles: label === 'One' ? 2 : 6 })
    await aRule(world, team, { quiet_from: '22:00', quiet_until: '06:30' }, ['quiet@example.com'])
    await aRule(world, team, { pace: 'digest' }, ['digest@example.com'])
    await found([hail('1', '1.25', 1)])
    await found([{ ...hail('2', '1.25', 5), BEGIN_DAY: '25', END_DAY: '25' }])
    const ids = (await exposures(world)).map(({ id }) => id)
    expect(ids.length).toBe(3)
    expect(await mails(world)).toMatchObject([
      { email: 'digest@example.com', exposure_ids: ids, send_after: new Date('2019-03-25T12:00:00Z'), status: 'queued' },
      { email: 'quiet@example.com', exposure_ids: ids, send_after: new Date('2019-03-25T11:30:00Z'), status: 'queued' },
    ])
  })
})
