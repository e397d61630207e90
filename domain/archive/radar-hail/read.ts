import { severityOf } from '#domain/archive/families.ts'
import { linesOf } from '#domain/archive/lines.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type Batch, type Document, emptyBatch, type Reading } from '#domain/archive/sources/source.ts'
import { refuseField } from '#domain/check.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'

const HEADER = /^#?ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE\s*$/
const COLUMNS = 10
/** Inches: nothing the algorithm answers is larger. */
const SIZE_MAX_IN = 10

/**
 * Reads hail signatures of the severe weather data inventory (nx3hail): its service's answers and its yearly files. An
 * answer that states another count than it has rows was cut off.
 * @throws Refusal validation_failed on `file`
 */
export async function readRadarHail({ file_name, bytes }: Document): Promise<Reading> {
  return { contents: { kind: 'reports', compiled_on: null, year: null, covers: 'every_state' }, batches: readBatches(file_name, bytes) }
}

async function* readBatches(file_name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  let begun = false
  let rows = 0
  let stated: number | null = null
  for await (const lines of linesOf(bytes)) {
    const batch = emptyBatch()
    for (const { number, text } of lines) {
      if (!begun) {
        if (text.trim() === '') continue
        if (!HEADER.test(text)) refuseField('file', 'This is no list of radar hail: it does not begin with its header.')
        begun = true
        continue
      }
      if (text.trim() === '' || text.startsWith('#') || /^summary\b|^totalTimeInSeconds/i.test(text)) continue
      const [, count] = /^(?:total)?count,(\d+)$/i.exec(text.trim()) ?? []
      if (count !== undefined) {
        stated = Number(count)
        continue
      }
      rows += 1
      batch.rows += 1
      const record = recordOf(text, file_name)
      if (typeof record === 'string') batch.rejections.push({ row: `line ${number}`, reason: record, source_key: null })
      else batch.records.push(record)
    }
    yield batch
  }
  if (!begun) refuseField('file', 'The file is empty.')
  if (stated !== null && stated !== rows) refuseField('file', `The list is cut off: it states ${stated} rows and has ${rows}.`)
}

function recordOf(line: string, file_name: string): ArchiveRecord | string {
  const cells = line.split(',').map((cell) => cell.trim())
  if (cells.length !== COLUMNS) return `it has ${cells.length} columns instead of ${COLUMNS}`
  const [time, longitudeText, latitudeText, radar, cell, , , , , sizeText] = cells as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const begins_at = momentOf(time)
  if (!begins_at) return `its time "${time}" is no time`
  const [longitude, latitude, size] = [Number(longitudeText), Number(latitudeText), Number(sizeText)]
  if (!latitude || !longitude || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'its point is not on the earth'
  if (!(size > 0 && size <= SIZE_MAX_IN)) return `its size "${sizeText}" is none`
  if (!radar || !cell) return 'it names no radar or no cell'
  const county = countyAt(latitude, longitude)
  const magnitudes = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: size, tornado_ef_scale: null }
  return {
    source: 'nexrad_hail',
    source_key: [begins_at.getUTCFullYear(), radar, begins_at.toISOString().replace(/\D/g, '').slice(0, 14), cell].join('/'),
    type: 'hail',
    family: 'thunderstorm',
    severity: severityOf({ type: 'hail', ...magnitudes }),
    occurred_on: localDate(begins_at, timezoneAt(latitude, longitude)),
    begins_at,
    ends_at: null,
    time_unsure: false,
    ...magnitudes,
    latitude,
    longitude,
    end_latitude: null,
    end_longitude: null,
    corners: null,
    county: county?.name ?? null,
    county_fips: county?.fips ?? null,
    zone: null,
    state: county?.state ?? null,
    precision: 'point',
    evidence_kind: 'radar',
    is_observed: false,
    qualifier: 'radar_estimated',
    preliminary: false,
    reporter: null,
    file_name,
    citation_url: 'https://www.ncei.noaa.gov/pub/data/swdi/database-csv/v2/',
    description: `Hail signature of radar ${radar}, cell ${cell}.`,
    compiled_on: null,
  }
}

/** 2024-05-13T21:05:03Z of the service, 20240513210503 of the yearly files. */
function momentOf(text: string): Date | null {
  const digits = text.replace(/\D/g, '')
  if (!/^(19|20)\d{12}$/.test(digits) || !/^[\dTZ:. -]+$/.test(text)) return null
  const iso = digits.replace(/^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3T$4:$5:$6Z')
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? null : at
}
