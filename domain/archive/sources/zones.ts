import { readAllBytes } from '#domain/archive/files/read-all-bytes.ts'
import { cleanText, decodeText } from '#domain/archive/files/text.ts'
import { type Batch, type Document, emptyBatch, type ParsedFile, type Source, type ZoneMember } from '#domain/archive/sources/source.ts'
import { type County, countyAt, countyOf } from '#domain/geo/counties.ts'
import { countiesNamed } from '#domain/geo/county-names.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/**
 * The agency's table of the counties that a forecast zone lies in: eleven columns separated by bars, no header,
 * `TX|119|FWD|Dallas|TX119|Dallas|48113|C|nc|32.7666|-96.7778`. It has no records, but makes zone records searchable.
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
/** Letters: the agency's longest zone name has 60. */
const NAME_MAX = 120

/** Bytes: the whole table is 5,000 lines of about 70 characters. */
export const ZONE_FILE_MAX = 4_194_304

async function readZones({ bytes }: Document): Promise<ParsedFile> {
  return { contents: { kind: 'zones', compiled_on: null, year: null, covers: 'every_state' }, batches: readBatches(bytes) }
}

async function* readBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  const lines = decodeText(await readAllBytes(bytes, ZONE_FILE_MAX)).split(/\r?\n/)
  const batch = emptyBatch()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const member = memberOf(line)
    batch.rows += 1
    if (typeof member === 'string') batch.rejections.push({ row: `line ${index + 1}`, reason: member, source_key: null })
    else batch.members.push(member)
  }
  if (batch.members.length === 0)
    refuseField('file', 'This is not a zone and county correlation file: no line names a zone and its county.')
  yield batch
}

/**
 * Returns a zone and its county, or why the line is unusable. A county missing from the map would place nothing, so its
 * zone stays unplaced and is reported as such.
 */
function memberOf(line: string): ZoneMember | string {
  const fields = line.split('|').map((field) => field.trim())
  const [state = '', zone = '', , name = '', , county = '', fips = '', , , latitude = '', longitude = ''] = fields
  if (fields.length !== COLUMNS || !STATE.test(state) || !ZONE_NUMBER.test(zone) || !FIPS.test(fips))
    return 'not a state, a zone and a county between bars'
  const byNumber = countyOf(fips)
  if (!byNumber) return `the county ${fips} is not on the map of counties`
  const match = resolveCounty(byNumber, countiesNamed(state, county), countyAt(Number(latitude), Number(longitude)))
  if (!match) return `the county ${fips} is ${byNumber.name}, and the line names ${cleanText(county).slice(0, NAME_MAX)}`
  return { zone: `${state}Z${zone}`, county_fips: match.fips, name: cleanText(name).slice(0, NAME_MAX) }
}

/**
 * Resolves a line whose county number and name belong to two counties, as zone 016 of Oregon has had since 2019 (Hood
 * River, and Jefferson's 41031): returns the one that contains its point, or null if neither does.
 */
function resolveCounty(byNumber: County, byName: County[], atPoint: County | null): County | null {
  if (byName.length === 0 || byName.some(({ fips }) => fips === byNumber.fips)) return byNumber
  return [byNumber, ...byName].find(({ fips }) => fips === atPoint?.fips) ?? null
}
