import { z } from 'zod'
import { featureSpans } from '#domain/archive/files/feature-spans.ts'
import { readAllBytes } from '#domain/archive/files/read-all-bytes.ts'
import { type ByteSpan, trimmedSpan, withSpan } from '#domain/archive/files/span.ts'
import { decodeText, withoutZeroEscapes } from '#domain/archive/files/text.ts'
import { AIRPORT_ID } from '#domain/archive/observations/airport-id.ts'
import { CORRECTED, larger, type Measured, readMetar, readReport } from '#domain/archive/observations/metar.ts'
import {
  type Batch,
  type Document,
  emptyBatch,
  type ParsedFile,
  type StationFact,
  type StationValue,
  singleBatch,
} from '#domain/archive/sources/source.ts'
import { valueAt } from '#domain/kernel/keys-of.ts'
import { present } from '#domain/kernel/present.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { MM_PER_IN, MPH_PER_KMH, MPH_PER_MPS } from '#domain/weather/units.ts'

const FILE_MAX = 64 * 1024 * 1024

/**
 * Reads station observations: METAR reports, whose file name states the month (metar-2025-06.txt, sa_202506.txt), or what
 * api.weather.gov returns for a station's observations, one or many, or for its list of stations, which gives their
 * positions.
 * @throws Refusal validation_failed on `file` if it is none of them
 */
export async function readObservations({ file_name, bytes }: Document): Promise<ParsedFile> {
  const file = await readAllBytes(bytes, FILE_MAX)
  const text = decodeText(file)
  const batch = isJson(text) || /\.(geo)?json$/i.test(file_name) ? readGeojson(file, text) : readReports(file.toString('latin1'), file_name)
  return { contents: { kind: 'observations', compiled_on: null, year: null, covers: 'every_state' }, batches: singleBatch(batch) }
}

const isJson = (text: string) => /^\s*[{[]/.test(text)

function readReports(file: string, file_name: string): Batch {
  const [, year, month] = /((?:19|20)\d{2})-?(0[1-9]|1[0-2])/.exec(file_name) ?? []
  if (!year) refuseField('file', 'METAR reports state only the day. The file name must state their month, as in metar-2025-06.txt.')
  const { reports, values, refused } = readMetar(file, `${year}-${month}`)
  if (reports === 0) refuseField('file', 'The file has no METAR report.')
  return {
    ...emptyBatch(reports),
    observations: values,
    rejections: refused.map(({ line, reason }) => ({ row: line, reason, source_key: null })),
  }
}

const point = z.object({
  type: z.literal('Point'),
  coordinates: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.number()),
})
const measure = z.object({ unitCode: z.string(), value: z.number().nullable(), qualityControl: z.string().nullish() }).nullish()
const observation = z.object({
  geometry: point,
  properties: z.object({
    station: z.string(),
    stationName: z.string().nullish(),
    timestamp: z.iso.datetime({ offset: true }),
    /** The raw report that the station sent. */
    rawMessage: z.string().nullish().catch(null),
    windSpeed: measure.catch(null),
    windGust: measure,
    precipitationLastHour: measure,
  }),
})
const station = z.object({ geometry: point, properties: z.object({ stationIdentifier: z.string(), name: z.string().nullish() }) })

/** Maximum characters shown of an id; the agency's longest has nine. */
const ID_SHOWN = 20
const AIRPORT_PATTERN = new RegExp(AIRPORT_ID)

/** Reads stations and observations. The agency lists every station it receives; only those of airports are used. */
function readGeojson(file: Buffer, text: string): Batch {
  const { features, spans } = featuresOf(file, text)
  const batch = emptyBatch(features.length)
  const reject = (index: number, reason: string) => batch.rejections.push({ row: `feature ${index + 1}`, reason, source_key: null })
  for (const [index, feature] of features.entries()) {
    const asStation = station.safeParse(feature)
    const asObservation = observation.safeParse(feature)
    if (asStation.success) {
      const { properties, geometry } = asStation.data
      if (AIRPORT_PATTERN.test(properties.stationIdentifier))
        batch.stations.push(stationOf(properties.stationIdentifier, properties.name, geometry))
    } else if (asObservation.success) {
      const { properties, geometry } = asObservation.data
      const id = present(properties.station.split('/').at(-1))
      if (AIRPORT_PATTERN.test(id)) {
        batch.stations.push(stationOf(id, properties.stationName, geometry))
        batch.observations.push(withSpan(valueIn(id, properties), present(spans[index])))
      } else reject(index, `the station ${id.slice(0, ID_SHOWN)} is not an airport's`)
    } else {
      const [issue] = asObservation.error.issues
      reject(index, `${issue?.path.join('.')} ${issue?.message}`)
    }
  }
  return batch
}

/** Returns the one feature, or those of a collection. */
function featuresOf(file: Buffer, text: string): { features: unknown[]; spans: ByteSpan[] } {
  try {
    const body: { type?: unknown; features?: unknown } = JSON.parse(withoutZeroEscapes(text))
    if (Array.isArray(body.features)) return { features: body.features, spans: featureSpans(file) }
    if (body.type === 'Feature')
      return { features: [body], spans: [trimmedSpan(file.toString('latin1'), { start: 0, length: file.length })] }
  } catch {
    if (isJson(text)) refuseField('file', 'The GeoJSON is cut off or damaged.')
  }
  return refuseField('file', 'This is not GeoJSON of stations or their observations.')
}

function stationOf(
  id: string,
  name: string | null | undefined,
  { coordinates: [longitude, latitude] }: z.infer<typeof point>,
): StationFact {
  return { id, name: name || null, latitude, longitude }
}

/** Quality codes: rejected (X) or found suspect (Q) by the agency's own checks, or found bad by a forecaster (B). */
const SUSPECT_CODES = ['X', 'Q', 'B']

function valueIn(
  station_id: string,
  { timestamp, rawMessage, windSpeed, windGust, precipitationLastHour }: z.infer<typeof observation>['properties'],
): StationValue {
  const observed_at = new Date(timestamp)
  const report = readReport(rawMessage ?? '', station_id, observed_at)
  const values = {
    station_id,
    observed_at,
    wind_gust_mph: gustOf(windSpeed, windGust, report),
    precipitation_in: amountOf(precipitationLastHour) ?? (isSuspect(precipitationLastHour) ? null : (report?.rain_in ?? null)),
  }
  if (CORRECTED.test(rawMessage ?? '')) return { ...values, withdraws: 'all' }
  return isSuspect(windSpeed) || isSuspect(windGust) ? { ...values, withdraws: 'gust' } : values
}

/** The service's own gust comes before the report's, but has no peaks. If the service marks the wind as suspect, nothing is taken from the report. */
function gustOf(windSpeed: Measure, windGust: Measure, report: Measured | null): number | null {
  const gust = speedOf(windGust)
  if (isSuspect(windGust) || isSuspect(windSpeed) || !report) return gust
  return larger(gust ?? report.gust_mph, report.peak_mph)
}

type Measure = z.infer<typeof measure>

const isSuspect = (value: Measure) => SUSPECT_CODES.includes(value?.qualityControl ?? '')

function statedValue(value: Measure): number | null {
  return value && !isSuspect(value) ? value.value : null
}

/** By the service's unit codes: wmoUnit:km_h-1 and, until 2020, unit:m_s-1. */
const mphPerUnit: Record<string, number> = { 'km_h-1': MPH_PER_KMH, 'm_s-1': MPH_PER_MPS }
const mmPerUnit: Record<string, number> = { mm: 1, m: 1000 }

/** Returns the value in the archive's unit; null if there is none or its unit is not known. */
function convertUnit(value: Measure, units: Readonly<Record<string, number>>): number | null {
  const [amount, unit] = [statedValue(value), valueAt(units, value?.unitCode.split(':').at(-1) ?? '')]
  return amount === null || unit === undefined ? null : amount * unit
}

function speedOf(value: Measure): number | null {
  const mph = convertUnit(value, mphPerUnit)
  return mph !== null && mph > 0 ? Math.round(mph) : null
}

function amountOf(value: Measure): number | null {
  const mm = convertUnit(value, mmPerUnit)
  return mm !== null && mm >= 0 ? Math.round((mm / MM_PER_IN) * 100) / 100 : null
}
