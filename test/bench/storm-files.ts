import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { Random } from './random.ts'

/** A made-up details file of Storm Events. */
export interface StormFile {
  file_name: string
  year: number
  bytes: Buffer
}

const COLUMNS = [
  'BEGIN_YEARMONTH',
  'BEGIN_DAY',
  'BEGIN_TIME',
  'END_YEARMONTH',
  'END_DAY',
  'END_TIME',
  'EVENT_ID',
  'STATE',
  'EVENT_TYPE',
  'CZ_TYPE',
  'CZ_FIPS',
  'CZ_NAME',
  'CZ_TIMEZONE',
  'SOURCE',
  'MAGNITUDE',
  'MAGNITUDE_TYPE',
  'TOR_F_SCALE',
  'BEGIN_LAT',
  'BEGIN_LON',
  'END_LAT',
  'END_LON',
  'EPISODE_NARRATIVE',
  'EVENT_NARRATIVE',
]

/** Storms cluster: this many centres between the Rockies and the Atlantic, some far busier than others. */
const CENTRES = 400
/** Words of the longest narrative; the agency's have up to 2,500. */
const WORDS_MAX = 120

export type Centre = readonly [latitude: number, longitude: number]

export function stormCentres(random: Random): Centre[] {
  return Array.from({ length: CENTRES }, () => [27 + random.next() * 20, -108 + random.next() * 32] as const)
}

/**
 * Makes one year's file with the given number of rows: hail, wind and tornadoes around the centres, as uneven as
 * the weather.
 * @param first number of its first row, so that files of one year can have different rows
 */
export function stormFile(year: number, rows: number, centres: Centre[], random: Random, first = 0): StormFile {
  const lines = [COLUMNS.join(',')]
  for (let row = first; row < first + rows; row++) lines.push(stormLine(year, row, centres, random))
  return {
    file_name: `StormEvents_details-ftp_v1.0_d${year}_c${year + 1}0917.csv.gz`,
    year,
    bytes: gzipSync(`${lines.join('\n')}\n`, { level: 1 }),
  }
}

export const streamOf = ({ bytes }: StormFile): Readable => Readable.from(piecesOf(bytes))

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  const PIECE = 65_536
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

function stormLine(year: number, row: number, centres: Centre[], random: Random): string {
  const spread = () => (random.next() + random.next() + random.next() - 1.5) * 1.2
  const [north, east] = centres[Math.floor(random.next() ** 1.3 * centres.length)] as Centre
  const [latitude, longitude] = [north + spread(), east + spread()]
  const moves = row % 20 === 0
  const kind = moves ? ['Tornado', '', '', 'EF1'] : row % 2 ? ['Hail', '1.75', '', ''] : ['Thunderstorm Wind', '52.00', 'EG', '']
  const month = String(1 + Math.floor(random.next() * 12)).padStart(2, '0')
  const day = 1 + Math.floor(random.next() * 28)
  const hhmm = Math.floor(random.next() * 24) * 100 + Math.floor(random.next() * 60)
  const when = [`${year}${month}`, day, hhmm]
  const text = 'Large hail fell on the town and the fields around it for some minutes. '.repeat(
    1 + Math.floor((random.next() * WORDS_MAX) / 14),
  )
  const end = moves ? [latitude + 0.05, longitude + 0.1] : [latitude, longitude]
  const point = [latitude, longitude, ...end].map((degrees) => degrees.toFixed(4))
  return [
    ...when,
    ...when,
    `${year}${row + 1}`,
    '"TEXAS"',
    `"${kind[0]}"`,
    'C',
    85,
    '"COLLIN"',
    'CST-6',
    '"Public"',
    ...kind.slice(1),
    ...point,
    '""',
    `"${text.trim()}"`,
  ].join(',')
}
