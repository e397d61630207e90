import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readObservations } from '#domain/archive/observations/read.ts'
import type { Batch } from '#domain/archive/sources/source.ts'

async function read(text: string, file_name: string): Promise<Batch> {
  const { batches } = await readObservations({ file_name, bytes: Readable.from([Buffer.from(text)]) })
  for await (const batch of batches) return batch
  throw new Error('nothing was read')
}

const collection = (features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const geometry = { type: 'Point', coordinates: [-97.04, 32.9] }

const observed = (id: string, flag: string) => ({
  type: 'Feature',
  geometry,
  properties: {
    station: `https://api.weather.gov/stations/${id}`,
    timestamp: '2026-05-14T01:53:00+00:00',
    windGust: { unitCode: 'wmoUnit:km_h-1', value: 111.24, qualityControl: flag },
    precipitationLastHour: { unitCode: 'wmoUnit:mm', value: 5.08, qualityControl: 'C' },
  },
})

it.each([
  ['V', 69],
  ['C', 69],
  ['S', 69],
  ['Z', 69],
  ['G', 69],
  ['X', null],
  ['Q', null],
  ['B', null],
])('reads a gust with the quality flag %s as %s mph', async (flag, wind_gust_mph) => {
  const { observations } = await read(collection([observed('KDFW', flag)]), 'KDFW.geojson')
  expect(observations).toMatchObject([{ wind_gust_mph, precipitation_in: 0.2 }])
})

it.each([
  ['wmoUnit:km_h-1', 'wmoUnit:mm', 69, 0.2],
  ['unit:m_s-1', 'unit:m', 249, 200],
  ['wmoUnit:m_s-1', 'wmoUnit:m', 249, 200],
  ['wmoUnit:kt', 'wmoUnit:in', null, null],
])('reads values in %s and %s as %s mph and %s in', async (gust, rain, wind_gust_mph, precipitation_in) => {
  const feature = observed('KDFW', 'V')
  const { windGust, precipitationLastHour } = feature.properties
  Object.assign(feature.properties, {
    windGust: { ...windGust, unitCode: gust },
    precipitationLastHour: { ...precipitationLastHour, unitCode: rain },
  })
  expect((await read(collection([feature]), 'KDFW.geojson')).observations).toMatchObject([{ wind_gust_mph, precipitation_in }])
})

it("takes only airports from the agency's list, which also has stations of volunteers, observers and forests", async () => {
  const ids = ['KDFW', 'K1HW', 'TJSJ', 'CIVT', 'C1234', 'AR123', 'COOPSIXI4', 'FRCC1', '0124W']
  const { rows, stations, rejections } = await read(
    collection(ids.map((id) => ({ type: 'Feature', geometry, properties: { stationIdentifier: id, name: id } }))),
    'stations_TX_1.geojson',
  )
  expect({ rows, rejections, ids: stations.map(({ id }) => id) }).toEqual({ rows: 9, rejections: [], ids: ['KDFW', 'K1HW', 'TJSJ'] })
})

it("refuses a volunteer's observation", async () => {
  const { observations, stations, rejections } = await read(collection([observed('C1234', 'Z')]), 'C1234.geojson')
  expect({ observations, stations, rejections }).toMatchObject({
    observations: [],
    stations: [],
    rejections: [{ row: 'feature 1', reason: "the station C1234 is not an airport's" }],
  })
})

it('a station without a report for an hour has no observation for that hour', async () => {
  const { rows, observations } = await read('METAR KDFW 142353Z NIL=\nMETAR KDAL 142353Z 17027G37KT 10SM CLR=\n', 'metar-2025-06.txt')
  expect(rows).toBe(2)
  expect(observations).toMatchObject([{ station_id: 'KDAL', wind_gust_mph: 43 }])
})

it("uses a station's correction wherever it appears in the file", async () => {
  const wrong = 'METAR KDFW 142353Z 17027G87KT 10SM CLR RMK AO2 P0012='
  const read_as = { station_id: 'KDFW', wind_gust_mph: 43, precipitation_in: null }
  for (const right of ['METAR KDFW 142353Z COR 17027G37KT 10SM CLR=', 'METAR COR KDFW 142353Z 17027G37KT 10SM CLR='])
    for (const reports of [
      [wrong, right],
      [right, wrong],
    ]) {
      const { rows, observations } = await read(reports.join('\n'), 'metar-2025-06.txt')
      expect({ rows, observations }).toMatchObject({ rows: 2, observations: [read_as] })
    }
  const { observations } = await read('METAR KDFW 142253Z 17027G87KT=\nMETAR KDFW 142353Z COR 17027G37KT=', 'metar-2025-06.txt')
  expect(observations.map(({ wind_gust_mph }) => wind_gust_mph)).toEqual([100, 43])
})

it.each([
  ['the evening before, in the first bulletin of July', '2025-07', '010030', '302352', '2025-06-30T23:52'],
  ['the evening before, on a day that its own month lacks', '2025-06', '010000', '312354', '2025-05-31T23:54'],
  ['the evening before, in a year before', '2026-01', '010000', '312354', '2025-12-31T23:54'],
  ['the last evening, in the first bulletin of the next month', '2025-06', '010000', '302354', '2025-06-30T23:54'],
  ['the next month, by a clock that is fast', '2025-06', '302359', '010001', '2025-07-01T00:01'],
  ['a day late', '2025-07', '151000', '140953', '2025-07-14T09:53'],
  ['its hour', '2025-07', '010053', '010051', '2025-07-01T00:51'],
  ['a day that no bulletin is near', '2025-07', '010030', '201200', '2025-07-20T12:00'],
])('dates a report of %s by its bulletin (%s, %s)', async (_, month, sent, stated, at) => {
  const text = `\u0001\n776 \nSAUS70 KWBC ${sent} RRI\nMETAR\nKSPS ${stated}Z 10015G35KT 10SM\n     TSB38=\n`
  const { observations } = await read(text, `metar-${month}.txt`)
  expect(observations.map(({ observed_at }) => observed_at.toISOString().slice(0, 16))).toEqual([at])
})

it('reads KTS as knots', async () => {
  const { observations } = await read('METAR KDFW 142353Z 17027G37KTS 10SM CLR=', 'metar-2025-06.txt')
  expect(observations).toMatchObject([{ wind_gust_mph: 43 }])
})

const AT = '2026-05-14T20:53:00+00:00'
const RAW = 'KDFW 142053Z AUTO 18012KT 10SM CLR 23/19 A3003 RMK AO2 PK WND 18049/2025 SLP088 P0005 T01890156'
const km_h = (value: number | null, qualityControl = 'Z') => ({ unitCode: 'wmoUnit:km_h-1', value, qualityControl })
const mm = (value: number | null, qualityControl = 'Z') => ({ unitCode: 'wmoUnit:mm', value, qualityControl })

it.each([
  ['peak and rain are read where it states neither gust nor rain itself', {}, 56, 0.05],
  ['gust too', { rawMessage: RAW.replace('18012KT', '18012G52KT') }, 60, 0.05],
  ['gust is not where it states one itself', { rawMessage: RAW.replace('18012KT', '18012G70KT'), windGust: km_h(40, 'V') }, 56, 0.05],
  ['peak is read where its gust is smaller', { windGust: km_h(40, 'V') }, 56, 0.05],
  ['peak is not taken where its gust is larger', { windGust: km_h(111.24, 'V') }, 69, 0.05],
  ['rain is not taken where it states another', { precipitationLastHour: mm(5.08, 'C') }, 56, 0.2],
  ['wind is not taken where its checks refuse the gust', { windGust: km_h(40, 'X') }, null, 0.05],
  ['wind is not taken where its checks doubt a gust that it does not state', { windGust: km_h(null, 'Q') }, null, 0.05],
  ['wind is not taken where its checks refuse the speed', { windSpeed: km_h(22, 'B') }, null, 0.05],
  [
    'peak is not taken where its checks refuse the speed, and stand by the gust',
    { windSpeed: km_h(22, 'X'), windGust: km_h(40, 'V') },
    25,
    0.05,
  ],
  ['rain is not taken where its checks refuse it', { precipitationLastHour: mm(1, 'X') }, 56, null],
  ['values are of no other station', { rawMessage: RAW.replace('KDFW', 'KDAL') }, null, null],
  ['values are of no other moment', { rawMessage: RAW.replace('142053Z', '141953Z') }, null, null],
  ['values are none where there is no report', { rawMessage: '' }, null, null],
])("of the raw report that the service gives, the station's %s", async (_what, overrides, wind_gust_mph, precipitation_in) => {
  const properties = {
    station: 'https://api.weather.gov/stations/KDFW',
    timestamp: AT,
    rawMessage: RAW,
    windGust: km_h(null),
    ...overrides,
  }
  const { observations } = await read(collection([{ type: 'Feature', geometry, properties }]), 'KDFW.geojson')
  expect(observations).toMatchObject([{ station_id: 'KDFW', observed_at: new Date(AT), wind_gust_mph, precipitation_in }])
})

it('a wind whose speed is rejected withdraws the peak read for that moment', async () => {
  const properties = { station: 'https://api.weather.gov/stations/KDFW', timestamp: AT, rawMessage: RAW, windSpeed: km_h(22, 'X') }
  const { observations } = await read(collection([{ type: 'Feature', geometry, properties }]), 'KDFW.geojson')
  expect(observations).toMatchObject([{ withdraws: 'gust' }])
})

it.each([
  ['2053', 56],
  ['2025', 56],
  ['1953', 56],
  ['53', 56],
  ['25', 56],
  ['54', 56],
  ['1952', null],
  ['1925', null],
  ['0925', null],
  ['2054', null],
  ['2575', null],
  ['75', null],
])('reads a peak wind of %s in a report of 2053 as %s mph', async (time, wind_gust_mph) => {
  const { observations } = await read(`METAR KDFW 142053Z 18012KT 10SM RMK AO2 PK WND 18049/${time} SLP088=\n`, 'metar-2026-05.txt')
  expect(observations).toMatchObject([{ wind_gust_mph }])
})

it('counts a peak wind before midnight in the hour that reports it', async () => {
  const { observations } = await read('METAR KDFW 150020Z 18012KT 10SM RMK AO2 PK WND 18049/2335 SLP088=\n', 'metar-2026-05.txt')
  expect(observations).toMatchObject([{ wind_gust_mph: 56 }])
})
