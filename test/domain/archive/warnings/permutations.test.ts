import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { Team } from '#generated/prisma/client.ts'
import { severeWarning } from '#test/support/severe-warning.ts'
import { seededRandom } from '../../../bench/random.ts'
import { aTeam } from '../../../support/factories.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { aProperty, aTerritory, box } from '../../exposures/storm.ts'
import { square } from './message.ts'

const real = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'nws-text')
const present = existsSync(real)

let world: World
let team: Team
beforeAll(async () => {
  world = await openWorld()
  world.clock.set('2026-06-20T00:00:00Z')
  team = await aTeam(world)
})
afterAll(() => world.close())

interface AlertInput {
  action: string
  sent: string
  number?: number
  begins?: string
  ends?: string
  codes?: string[]
  longitude?: number | null
  mark?: string
}

/** A file with one alert of the feed. */
function alert({
  action,
  sent,
  number = 142,
  begins = '000000T0000Z',
  ends = '260528T2345Z',
  codes = ['TXC085'],
  longitude = null,
  mark,
}: AlertInput): string {
  const until = ends.replace(/^(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z$/, '20$1-$2-$3T$4:$5:00Z')
  const vtec = `/O.${action}.KFWD.SV.W.${String(number).padStart(4, '0')}.${begins}-${ends}/`
  const properties = {
    id: `urn:oid:${action}.${sent}.${codes}.${mark}`,
    areaDesc: codes.join('; '),
    geocode: { UGC: codes },
    sent,
    onset: null,
    expires: until,
    ends: until,
    ...severeWarning,
    senderName: 'NWS Fort Worth TX',
    headline: `${action} ${sent}`,
    instruction: null,
    parameters: {
      VTEC: [vtec],
      AWIPSidentifier: ['SVRFWD'],
      WMOidentifier: [`WUUS54 KFWD ${sent.replace(/^\d{4}-\d\d-(\d\d)T(\d\d):(\d\d).*/, '$1$2$3')}${mark ? ` ${mark}` : ''}`],
      maxHailSize: ['1.75'],
    },
  }
  const features = [{ type: 'Feature', geometry: longitude === null ? null : square(longitude, 33.1), properties }]
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const read = (text: string, name: string) =>
  ingest(world.app, 'warnings', Readable.from([Buffer.from(text, 'latin1')]), { file_name: name, quiet: true })

/** All stored warnings and exposures, except numbers and times that only depend on when they were written. */
async function everything(): Promise<unknown> {
  const { rows } = await world.app.pool.query<{ held: unknown }>(`
    SELECT jsonb_build_object(
      'warnings', (SELECT jsonb_agg(to_jsonb(w) - '{id,created_at,updated_at}'::text[] ORDER BY source_key) FROM warnings w),
      'messages', (SELECT jsonb_agg(to_jsonb(m) - '{warning_id,file_id,created_at,revision}'::text[] || jsonb_build_object('of', w.source_key) ORDER BY message_key)
                     FROM warning_messages m JOIN warnings w ON w.id = m.warning_id),
      'cells', (SELECT jsonb_agg(jsonb_build_array(source_key, cell) ORDER BY source_key, cell) FROM warning_cells c JOIN warnings w ON w.id = c.warning_id),
      'exposures', (SELECT jsonb_agg(jsonb_build_array(coalesce(p.label, t.name), e.date, e.warning_key, e.headline, e.warning, e.withdrawn)
                                     ORDER BY coalesce(p.label, t.name), e.warning_key)
                      FROM exposures e LEFT JOIN properties p ON p.id = e.property_id LEFT JOIN territories t ON t.id = e.territory_id
                     WHERE NOT e.withdrawn)) AS held`)
  await world.owner.query('TRUNCATE warnings, exposures RESTART IDENTITY CASCADE')
  return rows[0]?.held
}

/** The stored state after the files are read in this order, some of them twice. */
async function after(files: [name: string, text: string][], twice: ReadonlySet<number>): Promise<unknown> {
  for (const [place, [name, text]] of files.entries()) {
    await read(text, name)
    if (twice.has(place)) await read(text, name)
    await world.drain()
  }
  return everything()
}

/** `npm run test:counts` sets 12. */
const ORDERS = Number(process.env.ORDERS ?? 5)

async function holdsInEveryOrder(files: [name: string, text: string][]): Promise<unknown> {
  const first = await after(files, new Set())
  const random = seededRandom().next
  for (let run = 0; run < ORDERS; run++) {
    const order = files
      .map((file) => ({ file, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ file }) => file)
    const twice = new Set(files.map((_, place) => place).filter(() => random() < 0.4))
    expect(await after(order, twice), order.map(([name]) => name).join(', ')).toEqual(first)
  }
  return first
}

/** A machine with two busy cores reads about thirty files a second. */
const TIMEOUT_MS = 240_000

describe('stored warnings do not depend on the order of their messages', { timeout: TIMEOUT_MS }, () => {
  it('for one that is corrected, extended, partly cancelled and expires, in two segments and with repeats', async () => {
    await aProperty(world, team, { label: 'West', latitude: 33.1, longitude: -97 })
    await aProperty(world, team, { label: 'East', latitude: 33.1, longitude: -96.6 })
    await aTerritory(world, team, box(33.05, -96.95, 33.15, -96.85), 'Between')
    const stored = (await holdsInEveryOrder([
      ['new', alert({ action: 'NEW', sent: '2026-05-28T23:10:00Z', begins: '260528T2310Z', longitude: -97, codes: ['TXC085', 'TXC113'] })],
      ['corrected', alert({ action: 'COR', sent: '2026-05-28T23:10:00Z', longitude: -96.95, codes: ['TXC085', 'TXC113'], mark: 'CCA' })],
      ['cancelled in part', alert({ action: 'CAN', sent: '2026-05-28T23:20:00Z', longitude: -96.6, codes: ['TXC113'] })],
      ['goes on', alert({ action: 'CON', sent: '2026-05-28T23:20:00Z', longitude: -96.6 })],
      ['extended', alert({ action: 'EXT', sent: '2026-05-28T23:40:00Z', ends: '260529T0015Z', longitude: -96.6 })],
      ['expires', alert({ action: 'EXP', sent: '2026-05-29T00:10:00Z', ends: '260529T0015Z', longitude: -96.6 })],
    ])) as { messages: unknown[]; exposures: unknown[] }
    expect(stored.messages).toHaveLength(6)
    expect(stored.exposures).toMatchObject([
      [
        'Between',
        '2026-05-28',
        'KFWD.SV.W.0142.2026',
        expect.anything(),
        { periods: [{ from: '2026-05-28T23:10:00Z', until: '2026-05-28T23:20:00Z' }] },
        false,
      ],
      [
        'East',
        '2026-05-28',
        'KFWD.SV.W.0142.2026',
        expect.anything(),
        { periods: [{ from: '2026-05-28T23:20:00Z', until: '2026-05-29T00:15:00Z' }] },
        false,
      ],
      [
        'West',
        '2026-05-28',
        'KFWD.SV.W.0142.2026',
        expect.anything(),
        { periods: [{ from: '2026-05-28T23:10:00Z', until: '2026-05-28T23:20:00Z' }] },
        false,
      ],
    ])
  })

  it('for one number in two years, across New Year', async () => {
    const flood = { number: 9, ends: '260103T1200Z', longitude: -97 }
    const stored = (await holdsInEveryOrder([
      ['new', alert({ ...flood, action: 'NEW', sent: '2025-12-31T20:00:00Z', begins: '251231T2000Z' })],
      ['goes on', alert({ ...flood, action: 'CON', sent: '2026-01-01T08:00:00Z', longitude: -96.6 })],
      ['expires', alert({ ...flood, action: 'EXP', sent: '2026-01-03T11:00:00Z' })],
      ['the next', alert({ ...flood, action: 'NEW', sent: '2026-02-01T08:00:00Z', begins: '260201T0800Z', ends: '260202T1200Z' })],
      ['goes on too', alert({ ...flood, action: 'CON', sent: '2026-02-01T20:00:00Z', ends: '260202T1200Z', longitude: -96.6 })],
    ])) as { messages: { of: string; action: string }[]; exposures: [string, string, string][] }
    expect(stored.messages.map(({ of, action }) => `${of} ${action}`).sort()).toEqual([
      'KFWD.SV.W.0009.2025 CON',
      'KFWD.SV.W.0009.2025 EXP',
      'KFWD.SV.W.0009.2025 NEW',
      'KFWD.SV.W.0009.2026 CON',
      'KFWD.SV.W.0009.2026 NEW',
    ])
    expect(stored.exposures.map(([place, , key]) => `${place} ${key}`)).toContain('East KFWD.SV.W.0009.2025')
  })

  describe.skipIf(!present)(`for the agency's own texts${present ? '' : ' (skipped: real records not present)'}`, () => {
    it('that cancel and correct', async () => {
      await aProperty(world, team, { label: 'Mc Clelland, IA 51548', latitude: 41.2932, longitude: -95.6813 })
      const names = [
        'TOROAX_0.txt',
        'TOROAX_1.txt',
        'TOROAX_2.txt',
        'TOROAX_3.txt',
        'SVRMEG_SVRMEG_0.txt',
        'SVRMEG_SVRMEG_1.txt',
        'SVRMEG_SVRMEG_2.txt',
      ]
      const files = names.map((name): [string, string] => [name, readFileSync(path.join(real, name), 'latin1')])
      const stored = (await holdsInEveryOrder(files)) as { exposures: unknown[] }
      expect(stored.exposures).toMatchObject([
        [
          'Mc Clelland, IA 51548',
          '2024-04-26',
          'KOAX.TO.W.0038.2024',
          expect.anything(),
          { periods: [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:43:00Z' }] },
          false,
        ],
      ])
    })
  })
})
