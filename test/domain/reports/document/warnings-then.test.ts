import { beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { clearVersions } from '#domain/archive/versions/clear-versions.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { requestReport } from '#domain/reports/request.ts'
import { DAY, HOUR } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { severeWarning } from '#test/support/severe-warning.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { importText } from '../../archive/files.ts'

let world: World
let caller: Caller
beforeEach(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world))
})

const corners = [
  [-97, 33],
  [-96.6, 33],
  [-96.6, 33.4],
  [-97, 33.4],
  [-97, 33],
]

/** Imports a thunderstorm warning over Frisco that lasts until the given time. */
function warn(number: string, until: string) {
  const properties = {
    id: `urn:oid:${number}`,
    areaDesc: 'Collin, TX',
    geocode: { UGC: ['TXC085'] },
    sent: '2019-03-24T23:10:00Z',
    onset: null,
    expires: `2019-03-24T${until}:00Z`,
    ends: `2019-03-24T${until}:00Z`,
    ...severeWarning,
    senderName: 'NWS Fort Worth TX',
    headline: null,
    instruction: null,
    parameters: { VTEC: [`/O.NEW.KFWD.SV.W.${number}.190324T2310Z-190324T${until.replace(':', '')}Z/`] },
  }
  const feature = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [corners] }, properties }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
  return importText(world, text, { file_name: 'alerts.json' }, 'warnings')
}

async function reported(more: object = {}) {
  const input = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-24', window_end: '2019-03-24' }
  const layout = { sections: ['warnings', 'map'], map: { base: 'plain', layers: ['warnings'] } }
  const { report } = await requestReport(world.app, caller, { ...input, layout, ...more }, null)
  await world.drain()
  return report.id
}

async function reprint(id: string) {
  const facts = await readDocumentFacts(world.app, id)
  if (!facts) throw new Error('the report is not complete')
  const text = (await documentPage(facts, [])).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  return { warnings: facts.warnings?.length ?? null, text }
}

it('a reprinted document shows the warnings of its point in time, or states that they are no longer stored', async () => {
  await warn('0142', '23:45')
  world.clock.advance(HOUR)
  const as_of = world.clock.now().toISOString()
  world.clock.advance(HOUR)
  await warn('0143', '23:55')
  world.clock.advance(HOUR)
  const ids = [await reported({ as_of }), await reported()]
  world.clock.advance(10 * DAY)
  await warn('0144', '23:50')
  expect(await Promise.all(ids.map(reprint))).toMatchObject([{ warnings: 1 }, { warnings: 2 }])
  await clearVersions(world.app, 20)
  expect(await Promise.all(ids.map(reprint))).toMatchObject([{ warnings: 1 }, { warnings: 2 }])
  await clearVersions(world.app, 5)
  for (const { warnings, text } of await Promise.all(ids.map(reprint))) {
    expect(warnings).toBeNull()
    expect(text).toContain('none can be shown, whether or not one was in force')
    expect(text).toContain('Official warnings are not drawn')
    expect(text).not.toContain('No warning held in the archive')
  }
})

it('states so if the warnings were deleted, and shows them if only another source was', async () => {
  await warn('0142', '23:45')
  world.clock.advance(HOUR)
  const id = await reported()
  world.clock.advance(HOUR)
  await deleteSource(world.app, 'storm-events')
  expect(await reprint(id)).toMatchObject({ warnings: 1 })
  await deleteSource(world.app, 'warnings')
  expect(await reprint(id)).toMatchObject({ warnings: null })
})
