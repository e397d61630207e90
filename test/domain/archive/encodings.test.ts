import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { localReports } from '#domain/archive/sources/local-reports.ts'
import { observations } from '#domain/archive/sources/observations.ts'
import type { Batch, Source } from '#domain/archive/sources/source.ts'
import { spcReports } from '#domain/archive/sources/spc-reports.ts'
import { warnings } from '#domain/archive/sources/warnings.ts'
import { zones } from '#domain/archive/sources/zones.ts'
import { detailsText, readText } from './files.ts'

async function read(source: Pick<Source, 'read'>, file_name: string, bytes: Buffer): Promise<Batch> {
  const { batches } = await source.read({ file_name, bytes: Readable.from([bytes]) })
  for await (const batch of batches) return batch
  throw new Error('nothing was read')
}

const report = `000
NWUS54 TJSJ 101650
LSRSJU

PRELIMINARY LOCAL STORM REPORT
NATIONAL WEATHER SERVICE SAN JUAN PR
1250 PM AST TUE JUL 10 2018

..TIME...   ...EVENT...      ...CITY LOCATION...     ...LAT.LON...
..DATE...   ....MAG....      ..COUNTY LOCATION..ST.. ...SOURCE....
            ..REMARKS..

1150 AM     HAIL             3 W CABO ROJO           18.08N 67.18W
07/10/2018  M1.00 INCH       CABO ROJO          PR   TRAINED SPOTTER

            HAIL AT PEÑUELAS, IT’S REPORTED.


&&

$$
`
const warning = `000
WUUS54 TJSJ 101650
SVRSJU
PRC111-101745-
/O.NEW.TJSJ.SV.W.0001.180710T1650Z-180710T1745Z/

BULLETIN - IMMEDIATE BROADCAST REQUESTED
Severe Thunderstorm Warning
National Weather Service San Juan PR
1250 PM AST TUE JUL 10 2018

...A STORM NEARS PEÑUELAS, IT’S MOVING WEST...

LAT...LON 1810 6680 1800 6680 1800 6670 1810 6670

$$
`

/** A file of each text feed, and its words that are not ASCII. */
const feeds: [string, string, Pick<Source, 'read'>, string, (batch: Batch) => (string | null | undefined)[]][] = [
  ['local-reports', 'LSRSJU.txt', localReports, report, ({ records }) => records.map(({ description }) => description)],
  [
    'spc-reports',
    '240513_rpts_hail.csv',
    spcReports,
    'Time,Size,Location,County,State,Lat,Lon,Comments\n2010,150,1 N Peñuelas,Collin,TX,33.15,-96.82,It’s hail. (FWD)\n',
    ({ records }) => records.map(({ description }) => description),
  ],
  ['warnings', 'SVRSJU.txt', warnings, warning, ({ warnings }) => warnings.map(({ headline }) => headline)],
  [
    'zones',
    'bp18mr26.dbx',
    zones,
    'PR|003|SJU|Peñuelas’ Coast|PR003|Ponce|72113|A|sw|18.05|-66.60\n',
    ({ members }) => members.map(({ name }) => name),
  ],
]

/** U+2019 is one byte, in windows-1252 only. */
const windows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('’', '\u0092'), 'latin1')

it.each(feeds)('%s are decoded correctly from UTF-8 and windows-1252', async (_feed, file_name, source, text, wordsOf) => {
  const words = wordsOf(await read(source, file_name, Buffer.from(text)))
  expect(words).toHaveLength(1)
  expect(words.join('')).toMatch(/pe[ñÑ]uelas/i)
  expect(words.join('')).toContain('’')
  expect(wordsOf(await read(source, file_name, windows1252(text)))).toEqual(words)
})

it('storm events are decoded row by row', async () => {
  const garbled = (text: string) => text.replace('UTF-8', Buffer.from('Cañon’s').toString('latin1')).replace('WINDOWS', 'Ca\u00f1on\u0092s')
  const text = detailsText({ EVENT_ID: '1', EVENT_NARRATIVE: 'UTF-8' }, { EVENT_ID: '2', EVENT_NARRATIVE: 'WINDOWS' })
  const { records } = await readText(garbled(text))
  expect(records.map(({ description }) => description)).toEqual(['Cañon’s', 'Cañon’s'])
})

const collectionOf = (properties: object): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [-96.82, 33.15] }, properties }],
  })
const report_properties = { valid: '2026-05-14T01:53:00Z', typetext: 'HAIL', city: 'Frisco', county: 'Collin', st: 'TX', wfo: 'FWD' }
const alert_properties = {
  ...{ id: 'urn:oid:1', event: 'Severe Thunderstorm Warning', sent: '2026-05-14T01:53:00Z', geocode: { UGC: ['TXC085'] } },
  ...{ status: 'Actual', messageType: 'Alert', severity: 'Severe', certainty: 'Observed', urgency: 'Immediate' },
  parameters: { VTEC: ['/O.NEW.KFWD.SV.W.0142.260514T0153Z-260514T0230Z/'] },
}

it.each<[string, Pick<Source, 'read'>, string, (batch: Batch) => unknown[]]>([
  ['local-reports', localReports, collectionOf(report_properties), ({ records }) => records],
  ['observations', observations, collectionOf({ stationIdentifier: 'KDFW' }), ({ stations }) => stations],
  ['warnings', warnings, collectionOf(alert_properties), ({ warnings }) => warnings],
])('a collection of %s may begin with a byte order mark and have zero bytes in its keys', async (_feed, source, json, read_from) => {
  const damaged = `\ufeff${json.replace('"type"', '"ty\0pe"').replace('"features"', '"fea\\u0000tures"')}`
  expect(read_from(await read(source, 'feed.geojson', Buffer.from(damaged)))).toHaveLength(1)
})
