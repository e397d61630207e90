import { type Batch, type Document, emptyBatch, type Reading, type Source, type ZoneMember } from '#domain/archive/sources/source.ts'
import { refuseField } from '#domain/check.ts'

/**
 * The agency's table of which counties a forecast zone lies in: bars between eleven columns, no header,
 * `TX|119|FWD|Dallas|TX119|Dallas|48113|C|nc|32.7666|-96.7778`. It holds no records: it lets zone records be found.
 */
export const zones = {
  id: 'nws_zones',
  slug: 'zones',
  label: 'National Weather Service forecast zones',
  lane: 'record',
  evidence_kind: 'ground',
  methodology: 'Which counties a forecast zone lies in, by the zone and county correlation file of the National Weather Service.',
  cite: () => 'https://www.weather.gov/gis/ZoneCounty',
  read: readZones,
} as const satisfies Source

const COLUMNS = 11
const ZONE_NUMBER = /^\d{3}$/
const STATE = /^[A-Z]{2}$/
const FIPS = /^\d{5}$/

async function readZones({ bytes }: Document): Promise<Reading> {
  return { contents: { kind: 'zones', compiled_on: null, year: null, covers: 'every_state' }, batches: readBatches(bytes) }
}

/** The whole table is 5,000 lines. */
const FILE_MAX = 4_194_304

async function* readBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > FILE_MAX) refuseField('file', 'This is no zone and county correlation file: it is far longer than one.')
    pieces.push(piece)
  }
  const lines = Buffer.concat(pieces).toString('latin1').split(/\r?\n/)
  const batch = emptyBatch()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const member = memberOf(line)
    batch.rows += 1
    if (member) batch.members.push(member)
    else batch.rejections.push({ row: `line ${index + 1}`, reason: 'not a state, a zone and a county between bars', source_key: null })
  }
  if (batch.members.length === 0) refuseField('file', 'This is no zone and county correlation file: no line names a zone and its county.')
  yield batch
}

function memberOf(line: string): ZoneMember | null {
  const fields = line.split('|').map((field) => field.trim())
  const [state = '', zone = '', , , , , fips = ''] = fields
  if (fields.length !== COLUMNS || !STATE.test(state) || !ZONE_NUMBER.test(zone) || !FIPS.test(fips)) return null
  return { zone: `${state}Z${zone}`, county_fips: fips }
}
