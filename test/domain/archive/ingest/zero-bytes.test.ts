import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { details, detailsText } from '../files.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const product = `000
NWUS54 TJSJ 101650
LSRSJU

PRELIMINARY LOCAL STORM REPORT
NATIONAL WEATHER SERVICE SAN JUAN PR
1250 PM AST TUE JUL 10 2018

1150 AM     HA\0IL             3 W CABO\0 ROJO           18.08N 67.18W
07/10/2018  M1.00 INCH       CABO\0 ROJO          PR   TRAINED\0 SPOTTER

            HAIL.


&&

$$
`
const geometry = { type: 'Point', coordinates: [-97.04, 32.9] }
const collection = (properties: object) =>
  JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties }] })

const files: [string, string, string][] = [
  [
    'storm-events',
    details(2019),
    detailsText({ EVENT_TYPE: 'Ha\0il', SOURCE: 'Pub\0lic', CZ_FIPS: '999', CZ_NAME: 'OLD\0 TOWN', BEGIN_LAT: '', BEGIN_LON: '' }),
  ],
  [
    'spc-reports',
    '190324_rpts_hail.csv',
    'Time,Size,Location,County,State,Lat,Lon,Comments\n2010,150,1 N Fri\0sco,Col\0lin,T\0X,33.15,-96.82,Hail. (FWD)\n',
  ],
  ['local-reports', 'LSRSJU.txt', product],
  [
    'local-reports',
    'lsrs.geojson',
    collection({
      valid: '2019-03-24T22:10:00Z',
      city: 'Fri\0sco',
      county: 'Col\0lin',
      st: 'T\0X',
      source: 'Pub\0lic',
      typetext: 'HA\0IL',
      wfo: 'FWD',
    }),
  ],
  [
    'observations',
    'KDFW.geojson',
    collection({
      station: 'https://api.weather.gov/stations/KDFW',
      stationName: 'Dallas\0 Fort Worth',
      timestamp: '2026-05-14T01:53:00+00:00',
      windGust: { unitCode: 'wmoUnit:km_h-1', value: 111.24, qualityControl: 'V' },
    }),
  ],
  [
    'radar-hail',
    'hail.csv',
    'ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON\n2019-03-24T22:10:00Z,KF\0WS,A\0,100,60,1.25,33.15,-96.82\n',
  ],
]

it.each(files)('a zero byte in a text of %s (%s) is dropped, and its row is stored', async (slug, file_name, text) => {
  expect(await ingest(world.app, slug, Readable.from([Buffer.from(text)]), { file_name })).toMatchObject({ rows: 1, rejected: 0 })
})

it('the stored texts are those without zero bytes', async () => {
  const { rows } = await world.app.pool.query(
    'SELECT source, type, county, state, reporter FROM archive_records ORDER BY source, file_name',
  )
  expect(rows).toEqual([
    { source: 'nexrad_hail', type: 'hail', county: 'Collin', state: 'TX', reporter: null },
    { source: 'noaa_spc_reports', type: 'hail', county: 'Collin', state: 'TX', reporter: null },
    { source: 'noaa_storm_events', type: 'hail', county: 'Old Town', state: 'TX', reporter: 'Public' },
    { source: 'nws_lsr', type: 'hail', county: 'Cabo Rojo', state: 'PR', reporter: 'TRAINED SPOTTER' },
    { source: 'nws_lsr', type: 'hail', county: 'Collin', state: 'TX', reporter: 'Public' },
  ])
})
