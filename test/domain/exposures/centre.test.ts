import { beforeEach, describe, expect, it } from 'vitest'
import { composeExposure } from '#domain/exposures/compose.ts'
import { listExposures } from '#domain/exposures/find.ts'
import { eventPosts } from '#domain/integrations/announcements/index.ts'
import type { Property, Team } from '#generated/prisma/client.ts'
import { aCell, aRecord } from '#test/domain/reports/record-factories.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aProperty, exposures, frisco, north, storm } from './storm.ts'

/** A property located only to the centre of its ZIP code or town. */

let world: World
let team: Team
beforeEach(async () => {
  world = await openWorld()
  world.clock.set('2019-06-20T00:00:00Z')
  team = await aTeam(world)
})

const zip: Partial<Property> = { precision: 'zip', postal_code: '75034', city: 'Frisco', state: 'TX' }
const headlines = async () => (await exposures(world)).map(({ headline }) => headline)

describe('an exposure', () => {
  it('is near the centre to which its property is located, not closer', async () => {
    await aProperty(world, team, { ...zip, label: 'ZIP' })
    await aProperty(world, team, { ...zip, label: 'Town', precision: 'city' })
    await aProperty(world, team, { ...zip, label: 'House', precision: 'point' })
    await aProperty(world, team, { ...zip, label: 'Street', precision: 'range' })
    await storm(world, [{ EVENT_ID: '1', ...north(2) }])
    expect((await headlines()).sort()).toEqual([
      'Hail up to 2.00 in reported 2.0 mi N of House on 2019-03-24',
      'Hail up to 2.00 in reported 2.0 mi N of Street on 2019-03-24',
      'Hail up to 2.00 in reported near the centre of Frisco (Town), 2.0 mi N, on 2019-03-24',
      'Hail up to 2.00 in reported near the centre of ZIP 75034 (ZIP), 2.0 mi N, on 2019-03-24',
    ])
  })

  it('at the very centre is still near it, because nothing was seen at the building', async () => {
    await aProperty(world, team, zip)
    await storm(world, [{ EVENT_ID: '1', ...north(0) }])
    expect(await headlines()).toEqual(['Hail up to 2.00 in reported near the centre of ZIP 75034 (HQ) on 2019-03-24'])
  })

  it('counts no radar cell as over a building whose location is unknown', () => {
    const place = { id: '', extent: '', name: 'HQ', subject: 'property', ...frisco, radius_miles: 5 } as const
    const report = aRecord({ hail_size_in: 1 })
    const [largest, over] = [aCell({ hail_size_in: 2, distance_miles: 2 }), aCell({ hail_size_in: 1.25, distance_miles: 0 })]
    const seen = [report, largest, over]
    const scans = (centre: string | null) => composeExposure({ ...place, centre }, '2025-05-28', seen)?.record_ids.toSorted()
    expect(scans(null)).toEqual([report.id, largest?.id, over?.id].sort())
    expect(scans('the centre of ZIP 75034')).toEqual([report.id, largest?.id].sort())
  })

  it('states how precisely its property is located, in the API and in the post', async () => {
    await aProperty(world, team, zip)
    await storm(world, [{ EVENT_ID: '1' }])
    const { data } = await listExposures(world.app, await aCaller(world, team), {})
    expect(data[0]?.subject).toMatchObject({ name: 'HQ', precision: 'zip' })
    const announcement = eventPosts['exposure.detected'].announce({ data, escalation: null }, { base_url: 'http://weather', total: 1 })
    expect(announcement.lede).toBe('HQ (only the centre of its ZIP code is known), 2019-03-24.')
    expect(announcement.facts).toContainEqual({ label: 'Place', value: 'HQ (only the centre of its ZIP code is known)' })
  })
})
