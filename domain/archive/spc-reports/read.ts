import { decimalOf } from '#domain/archive/files/decimal.ts'
import { readAllBytes } from '#domain/archive/files/read-all-bytes.ts'
import { type ByteSpan, FILE_LINE_END, spansBetween, withSpan } from '#domain/archive/files/span.ts'
import { cleanText, decodeText } from '#domain/archive/files/text.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import { impossibleMagnitude, magnitudeCaveat, placeCaveat } from '#domain/archive/plausibility.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type Batch, type Contents, type Document, emptyBatch, type ParsedFile, singleBatch } from '#domain/archive/sources/source.ts'
import { ratingNote, UNKNOWN_RATING } from '#domain/archive/tornado-rating.ts'
import type { Qualifier } from '#domain/closed-sets.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { countiesNamed } from '#domain/geo/county-names.ts'
import { stateByCode } from '#domain/geo/states.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'
import { isDate, refuseField } from '#domain/kernel/validation.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { familyOf, type RecordType } from '#domain/weather/types.ts'

/** The busiest day on record has about 2,000 reports. */
const FILE_MAX = 8 * 1024 * 1024
/** 240513_rpts_hail.csv, or 240513_rpts.csv with the three lists in sequence. */
const NAME = /(\d{2})(\d{2})(\d{2})_rpts(?:_(hail|wind|torn))?\.csv/
const HEADER = /^Time,(Size|Speed|F_Scale),Location,County,State,Lat,Lon,Comments/
type List = 'hail' | 'wind' | 'torn'
const lists: Readonly<Record<string, List>> = { Size: 'hail', Speed: 'wind', F_Scale: 'torn' }
/** The files go back to 1999. */
const FIRST_YEAR_OF_CENTURY = 90
/** The day of the Storm Prediction Center runs from 1200 to 1200 UTC, so an earlier time belongs to the next date. */
const DAY_BEGINS = 1200
const COLUMNS_BEFORE_COMMENTS = 7
const LINE_FEED = 0x0a

/**
 * Reads the daily reports of the Storm Prediction Center. The file is complete for its day and list, so what it no longer
 * has is withdrawn. A file cut off within a line is refused as a whole; a file without reports, or of all lists that lacks
 * one, withdraws nothing.
 * @throws Refusal validation_failed on `file`
 */
export async function readSpcReports({ file_name, bytes }: Document): Promise<ParsedFile> {
  const [, yy, month, day, list] = NAME.exec(file_name) ?? []
  const year = (Number(yy) >= FIRST_YEAR_OF_CENTURY ? 1900 : 2000) + Number(yy)
  if (!isDate(`${year}-${month}-${day}`))
    refuseField('file', "The file's name does not state its day, as 240513_rpts_hail.csv does for 13 May 2024.")
  const file = await readAllBytes(bytes, FILE_MAX)
  const text = decodeText(file).replaceAll('\r', '')
  if (!HEADER.test(text)) refuseField('file', 'This is not a daily list of the Storm Prediction Center: it does not begin with the header.')
  if (file.at(-1) !== LINE_FEED) refuseField('file', 'The file is cut off within a line.')
  const date = `${year}${month}${day}`
  const stated = listsIn(text)
  const other = list && stated.find((one) => one !== list)
  if (other) refuseField('file', `The file is named as a list of ${list} but contains one of ${other}.`)
  const batch = readLists(text, spansBetween(file.toString('latin1'), FILE_LINE_END), date, file_name)
  const contents: Contents = { kind: 'reports', preliminary: true, compiled_on: null, year: null, covers: 'every_state' }
  const isWhole = list !== undefined || Object.values(lists).every((one) => stated.includes(one))
  return {
    contents: isWhole && batch.records.length > 0 ? { ...contents, complete_prefix: list ? `${date}/${list}/` : `${date}/` } : contents,
    batches: singleBatch(batch),
  }
}

/** Returns the lists whose headers are in a file. */
function listsIn(text: string): List[] {
  return text.split('\n').flatMap((line) => lists[HEADER.exec(line)?.[1] ?? ''] ?? [])
}

/** @param spans of the same lines in the file */
function readLists(text: string, spans: ByteSpan[], date: string, file_name: string): Batch {
  const batch = emptyBatch()
  const seen = new Map<string, number>()
  let list: List = 'hail'
  for (const [index, line] of text.split('\n').entries()) {
    const header = HEADER.exec(line)
    if (header) list = present(lists[present(header[1])])
    if (header || line.trim() === '') continue
    batch.rows += 1
    const report = reportOf(line, list, date)
    if (typeof report === 'string') {
      batch.rejections.push({ row: `line ${index + 1}`, reason: report, source_key: null })
      continue
    }
    // Rejected rows are counted too: they are still in the list, and the numbers of the others stay the same.
    const times = (seen.get(report.key) ?? 0) + 1
    seen.set(report.key, times)
    const source_key = `${report.key}/${times}`
    const record = recordOf(report, list, date, file_name)
    if (typeof record === 'string') batch.rejections.push({ row: `line ${index + 1}`, reason: record, source_key })
    else batch.records.push(withSpan({ ...record, source_key }, present(spans[index])))
  }
  return batch
}

/** A row whose report is known, whatever its values. */
interface Report {
  cells: string[]
  begins_at: Date
  /** Of its record, without the number that distinguishes equal ones. */
  key: string
}

/** A report keeps its key when its size grows or its point moves within the county, because the file has no ids. */
function reportOf(line: string, list: List, date: string): Report | string {
  const cells = line.split(',')
  if (cells.length < COLUMNS_BEFORE_COMMENTS) return 'it has fewer than seven columns'
  const [time = '', , , county = '', state = ''] = cells.map((cell) => cell.trim())
  const begins_at = momentOf(date, time)
  if (!begins_at) return `its time "${time}" is not a time of day`
  return { cells, begins_at, key: [date, list, time, `${state}-${county.toUpperCase()}`].join('/') }
}

function recordOf({ cells, begins_at, key }: Report, list: List, date: string, file_name: string): ArchiveRecord | string {
  const [, amount = '', location = '', county = '', state = '', latitudeText = '', longitudeText = ''] = cells.map((cell) => cell.trim())
  const comments = cells.slice(COLUMNS_BEFORE_COMMENTS).join(',')
  const [latitude, longitude] = [decimalOf(latitudeText), decimalOf(longitudeText)]
  if (!latitude || !longitude || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'its point is not on the earth'
  const measured = measure(list, amount)
  if (typeof measured === 'string') return measured
  const sized = { type: measured.type, ...measured.magnitudes }
  const impossible = impossibleMagnitude(sized)
  if (impossible) return impossible
  const over = countyAt(latitude, longitude)
  const named = countiesNamed(state.toUpperCase(), county)
  const isOver = named.some(({ fips }) => fips === over?.fips)
  return {
    source: 'noaa_spc_reports',
    source_key: key,
    ...sized,
    family: familyOf(measured.type),
    severity: severityOf(sized),
    occurred_on: localDate(begins_at, timezoneAt(latitude, longitude)),
    begins_at,
    ends_at: null,
    time_unsure: false,
    latitude,
    longitude,
    end_latitude: null,
    end_longitude: null,
    corners: null,
    county: isOver && over ? over.name : county || null,
    county_fips: isOver && over ? over.fips : null,
    zone: null,
    state: stateByCode(state)?.code ?? over?.state ?? null,
    precision: 'point',
    evidence_kind: 'ground',
    is_observed: true,
    qualifier: measured.qualifier,
    preliminary: true,
    reporter: null,
    file_name,
    citation_url: `https://www.spc.noaa.gov/climo/reports/${date.slice(2)}_rpts.html`,
    description: [
      cleanText([location && `${location}.`, comments.trim()].filter(Boolean).join(' ')),
      list === 'torn' && UNKNOWN_RATING.test(amount) ? ratingNote(amount) : '',
    ]
      .filter(Boolean)
      .join(' '),
    caveats: [isOver ? null : placeCaveat({ latitude, longitude }, named, state), magnitudeCaveat(sized)].filter(
      (caveat) => caveat !== null,
    ),
    compiled_on: null,
  }
}

function momentOf(date: string, time: string): Date | null {
  const [, hours, minutes] = /^(\d{2})(\d{2})$/.exec(time) ?? []
  if (!hours) return null
  const [year, month, day] = tupleOf([date.slice(0, 4), date.slice(4, 6), date.slice(6)].map(Number), 3)
  const at = localMoment({ year, month, day, hour: Number(hours), minute: Number(minutes) }, 0)
  return at && Number(time) < DAY_BEGINS ? new Date(at.getTime() + DAY_MS) : at
}

interface Measured {
  type: RecordType
  magnitudes: Pick<ArchiveRecord, 'wind_speed_mph' | 'wind_gust_mph' | 'hail_size_in' | 'tornado_ef_scale'>
  qualifier: Qualifier
}

const nothing = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: null, tornado_ef_scale: null }
const UNKNOWN = /^(UNK|-9|E?FU|)$/

/** Reads hail in hundredths of an inch, gusts in mph, ratings as EF1 or F1; UNK if unknown. */
function measure(list: List, amount: string): Measured | string {
  const unknown = UNKNOWN.test(amount)
  const number = decimalOf(list === 'torn' ? amount.replace(/^E?F/, '') : amount)
  if (!unknown && !(number >= 0)) return `its magnitude "${amount}" is not a number`
  if (list === 'hail' && !unknown && !Number.isInteger(number)) return `its size "${amount}" is not in hundredths of an inch`
  if (list === 'hail')
    return { type: 'hail', magnitudes: { ...nothing, hail_size_in: unknown ? null : number / 100 || null }, qualifier: 'unknown' }
  if (list === 'wind')
    return { type: 'thunderstorm_wind', magnitudes: { ...nothing, wind_gust_mph: unknown ? null : number || null }, qualifier: 'unknown' }
  if (!unknown && (number > 5 || !Number.isInteger(number))) return `its rating "${amount}" is not valid`
  return { type: 'tornado', magnitudes: { ...nothing, tornado_ef_scale: unknown ? null : number }, qualifier: 'estimated' }
}
