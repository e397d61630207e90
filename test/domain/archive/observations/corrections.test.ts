import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { nearbyObservations } from '#domain/archive/observations/nearby.ts'
import { dropOldObservations } from '#domain/archive/observations/years.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { dallas } from './dallas.ts'

const geometry = { type: 'Point', coordinates: [-97.04, 32.9] }
const collection = (features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })

let world: World
beforeEach(async () => {
  world = await openWorld()
  world.clock.set('2026-05-14T06:00:00Z')
  await read('stations.geojson', collection([{ type: 'Feature', geometry, properties: { stationIdentifier: 'KDFW', name: 'Dallas' } }]))
})

async function read(file_name: string, text: string) {
  world.clock.advance(60_000)
  const { inserted, updated, unchanged, rejected } = await ingest(world.app, 'observations', Readable.from([Buffer.from(text)]), {
    file_name,
  })
  return { inserted, updated, unchanged, rejected }
}
const metar = (...reports: string[]) => read('metar-2026-05.txt', `${reports.map((report) => `METAR KDFW ${report}=`).join('\n')}\n`)

/** A response of the service for the station: for minutes of the hour from 03:00, the gust in km/h and its quality flag. */
const answer = (...readings: [minute: number, kmh: number | null, flag: string, rawMessage?: string][]) =>
  read(
    'KDFW_observations.geojson',
    collection(
      readings.map(([minute, value, qualityControl, rawMessage]) => ({
        type: 'Feature',
        geometry,
        properties: {
          station: 'https://api.weather.gov/stations/KDFW',
          timestamp: `2026-05-14T03:${String(minute).padStart(2, '0')}:00+00:00`,
          rawMessage,
          windGust: { unitCode: 'wmoUnit:km_h-1', value, qualityControl },
          precipitationLastHour: { unitCode: 'wmoUnit:mm', value: 5.08, qualityControl: 'C' },
        },
      })),
    ),
  )

const storedObservations = async () =>
  (
    await world.owner.query<{ at: string; mph: number | null; rain: number | null }>(
      `SELECT to_char(observed_at AT TIME ZONE 'UTC', 'DD HH24:MI') AS at, wind_gust_mph AS mph, precipitation_in AS rain FROM observations ORDER BY observed_at`,
    )
  ).rows
const gustsKnown = async (as_of: Date | null = null) => {
  const { count, gusts } = await nearbyObservations(
    world.app.pool,
    dallas,
    { start: '2026-05-13', end: '2026-05-14', today: '2026-05-14' } as never,
    as_of,
  )
  return { count, mph: gusts.map(({ wind_gust_mph }) => wind_gust_mph) }
}

const WRONG = '140353Z 17027G87KT 10SM CLR RMK AO2 P0112'
const RIGHT = '140353Z COR 17027G37KT 10SM CLR RMK AO2 P0012'
const EARLIER = '140320Z 17027G45KT 10SM CLR'

describe("a station's correction in a later file", () => {
  it('is stored, and the earlier value remains known as of its time', async () => {
    await metar(WRONG)
    expect(await gustsKnown()).toEqual({ count: 1, mph: [100] })
    const before = world.clock.now()
    expect(await metar(RIGHT)).toEqual({ inserted: 0, updated: 1, unchanged: 0, rejected: 0 })
    expect(await storedObservations()).toEqual([{ at: '14 03:53', mph: 43, rain: 0.12 }])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [] })
    expect(await gustsKnown(before)).toEqual({ count: 1, mph: [100] })
  })

  it('gives the same result in any order of the files, and when repeated', async () => {
    await metar(RIGHT)
    expect(await metar(WRONG)).toEqual({ inserted: 0, updated: 0, unchanged: 1, rejected: 0 })
    expect(await metar(RIGHT)).toEqual({ inserted: 0, updated: 0, unchanged: 1, rejected: 0 })
    expect(await storedObservations()).toEqual([{ at: '14 03:53', mph: 43, rain: 0.12 }])
  })

  it('yields to a larger gust of its hour, and the corrected value does not return', async () => {
    await metar(WRONG)
    await metar(RIGHT, EARLIER)
    expect(await storedObservations()).toEqual([{ at: '14 03:20', mph: 52, rain: 0.12 }])
    await metar(WRONG, EARLIER)
    expect(await storedObservations()).toEqual([{ at: '14 03:20', mph: 52, rain: 0.12 }])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [] })
  })

  it('of another minute leaves a larger gust unchanged', async () => {
    await metar(WRONG)
    await metar('140320Z COR 17027G37KT 10SM CLR')
    expect(await storedObservations()).toEqual([{ at: '14 03:53', mph: 100, rain: 1.12 }])
  })

  it('reveals an earlier gust once that is read again, because one observation is stored per hour', async () => {
    const severe = EARLIER.replace('G45', 'G60')
    await metar(severe, WRONG)
    await metar(RIGHT)
    expect(await storedObservations()).toEqual([{ at: '14 03:53', mph: 43, rain: 0.12 }])
    await metar(severe, WRONG)
    expect(await storedObservations()).toEqual([{ at: '14 03:20', mph: 69, rain: 0.12 }])
  })

  it('from the service applies if the raw report marks it as a correction', async () => {
    await answer([20, 70, 'V', 'KDFW 140320Z 17020G38KT'], [53, 160, 'V', 'KDFW 140353Z 17027G87KT 10SM CLR'])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [99] })
    await answer([20, 70, 'V', 'KDFW 140320Z 17020G38KT'], [53, 60, 'V', 'KDFW 140353Z COR 17027G32KT 10SM CLR'])
    expect(await storedObservations()).toEqual([{ at: '14 03:20', mph: 43, rain: 0.2 }])
    await answer([53, 160, 'V', 'KDFW 140353Z 17027G87KT 10SM CLR'])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [] })
  })

  it('can be corrected again by a later report', async () => {
    await metar(RIGHT)
    await metar('140353Z CCB 17027G41KT 10SM CLR RMK AO2 P0010')
    expect(await storedObservations()).toEqual([{ at: '14 03:53', mph: 47, rain: 0.1 }])
  })

  it('is deleted with its source and with its year', async () => {
    const remembered = async () => (await world.owner.query('SELECT FROM observation_corrections')).rowCount
    await metar(RIGHT)
    expect(await remembered()).toBe(1)
    await deleteSource(world.app, 'observations')
    expect(await remembered()).toBe(0)
    await metar(RIGHT)
    world.clock.set('2028-01-01T00:00:00Z')
    expect(await dropOldObservations({ ...world.app, config: { ...world.app.config, observations_years: 1 } })).toContain(2026)
    expect(await remembered()).toBe(0)
  })
})

describe("a gust that the agency's checks reject after it was read", () => {
  it.each(['X', 'Q', 'B'])('is removed (%s), and the largest gust read with it is stored', async (flag) => {
    await answer([20, 70, 'Z'], [40, 160, 'Z'])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [99] })
    await answer([20, 70, 'V'], [40, 160, flag])
    expect(await storedObservations()).toEqual([{ at: '14 03:20', mph: 43, rain: 0.2 }])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [] })
  })

  it('leaves the hour and its precipitation if nothing else is known', async () => {
    await answer([40, 160, 'Z'])
    await answer([40, 160, 'X'])
    expect(await storedObservations()).toEqual([{ at: '14 03:40', mph: null, rain: 0.2 }])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [] })
  })

  it('is restored if a later response confirms it', async () => {
    await answer([40, 160, 'X'])
    await answer([40, 160, 'V'])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [99] })
  })

  it('is not removed by a later, unmarked lower value: the larger value of a moment stays', async () => {
    await answer([40, 160, 'V'])
    expect(await answer([40, 70, 'V'])).toMatchObject({ inserted: 0, updated: 0 })
    expect(await gustsKnown()).toEqual({ count: 1, mph: [99] })
  })

  it('is not removed by a response that omits it', async () => {
    await answer([40, 160, 'V'])
    await answer([40, null, 'Z'])
    expect(await gustsKnown()).toEqual({ count: 1, mph: [99] })
  })
})
