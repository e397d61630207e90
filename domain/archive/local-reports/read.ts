import { z } from 'zod'
import { featureSpans } from '#domain/archive/files/feature-spans.ts'
import { readAllBytes } from '#domain/archive/files/read-all-bytes.ts'
import { type ByteSpan, PRODUCT_LINE_END, spansBetween, withSpan } from '#domain/archive/files/span.ts'
import { decodeText, withoutZeroEscapes } from '#domain/archive/files/text.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import { isCorrection } from '#domain/archive/local-reports/corrections.ts'
import { recordOfReport, type StatedBy } from '#domain/archive/local-reports/record.ts'
import { productSpans } from '#domain/archive/products/product.ts'
import { inUnit, type Lines, readStormReports, type StormMagnitude, type StormReport } from '#domain/archive/products/storm-reports.ts'
import { type Batch, type Document, emptyBatch, type ParsedFile, singleBatch } from '#domain/archive/sources/source.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** A month of the whole country is under 20 MB. */
const FILE_MAX = 64 * 1024 * 1024

/**
 * Reads local storm reports: text products as broadcast, one or several in a file, or the GeoJSON into which the Iowa
 * Environmental Mesonet transcribes them.
 * @throws Refusal validation_failed on `file` if it is neither
 */
export async function readLocalReports({ file_name, bytes }: Document): Promise<ParsedFile> {
  const file = await readAllBytes(bytes, FILE_MAX)
  const text = decodeText(file)
  const batch = text.trimStart().startsWith('{') ? readGeojson(file, text, file_name) : readTexts(file, file_name)
  return {
    contents: { kind: 'reports', preliminary: true, compiled_on: null, year: null, covers: 'every_state' },
    batches: singleBatch(batch),
  }
}

// ---------------------------------------------------------------- text

/** A report's first line, readable or not. The product's own date line has one space and a zone. */
const REPORT_LINE = /^\d{4} [AP]M {2}/

function readTexts(file: Buffer, file_name: string): Batch {
  const latin1 = file.toString('latin1')
  if (!/LOCAL STORM REPORT/i.test(latin1)) refuseField('file', 'This is neither a local storm report product nor GeoJSON of such reports.')
  const batch = emptyBatch()
  for (const { start, length } of productSpans(latin1)) {
    const lines = spansBetween(latin1.slice(start, start + length), PRODUCT_LINE_END)
    const spanOf = ({ first, last }: Lines): ByteSpan => {
      const [from, until] = [present(lines[first]), present(lines[last])]
      return { start: start + from.start, length: until.start + until.length - from.start }
    }
    addProduct(batch, decodeText(file.subarray(start, start + length)), spanOf, file_name)
  }
  return batch
}

function addProduct(batch: Batch, raw: string, spanOf: (lines: Lines) => ByteSpan, file_name: string): void {
  try {
    const { product, reports, lines, refused } = readStormReports(raw)
    batch.rows += reports.length + refused.length
    const stated = reports.map((report, at) => ({ report, span: spanOf(present(lines[at])) }))
    addReports(batch, stated, { ...product, file_name })
    for (const { line, reason } of refused) reject(batch, line, reason)
  } catch (fault) {
    // Without its head a product states neither time nor office, so none of its reports can be used.
    for (const line of raw.split(PRODUCT_LINE_END).filter((each) => REPORT_LINE.test(each))) {
      batch.rows += 1
      reject(batch, line, messageOf(fault))
    }
  }
}

function reject(batch: Batch, row: string, reason: string): void {
  batch.rejections.push({ row: row.trim(), reason, source_key: null })
}

/** A report and its position in the file. */
interface Stated {
  report: StormReport
  span: ByteSpan
}

/** Two reports in one product are two, even with the same time, event and place. Without a product they are one, and the last one wins. */
function addReports(batch: Batch, reports: readonly Stated[], by: StatedBy): void {
  const seen = new Map<string, number>()
  for (const { report, span } of reports) {
    const record = recordOfReport(report, by)
    if (typeof record === 'string') {
      reject(batch, report.row, record)
      continue
    }
    const times = (seen.get(record.source_key) ?? 0) + 1
    seen.set(record.source_key, times)
    const source_key = times === 1 || !by.product_id ? record.source_key : `${record.source_key}~${times}`
    batch.records.push(withSpan({ ...record, source_key }, span))
  }
}

// ---------------------------------------------------------------- GeoJSON

const feature = z.object({
  properties: z.object({
    valid: z.iso.datetime({ offset: true }).or(z.iso.datetime({ local: true })),
    magnitude: z.union([z.number(), z.string()]).nullish(),
    magf: z.number().nullish(),
    city: z.string(),
    county: z.string().nullish(),
    state: z.string().nullish(),
    st: z.string().nullish(),
    source: z.string().nullish(),
    remark: z.string().nullish(),
    typetext: z.string(),
    product_id: z
      .string()
      .regex(/^(?:19|20)\d{10}-[A-Z]{4}-[A-Z0-9]{6}-[A-Z0-9]+/, 'is not a product id')
      .refine((product_id) => sentAt(product_id) !== null, 'has no valid time')
      .nullish(),
    /** Three letters of the office: FWD. */
    wfo: z
      .string()
      .regex(/^[A-Z]{3,4}$/, 'is not an office')
      .nullish(),
    unit: z.string().nullish(),
    qualifier: z.string().nullish(),
  }),
  geometry: z.object({
    type: z.literal('Point'),
    coordinates: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.number()),
  }),
})
type Feature = z.infer<typeof feature>

interface ProductReports {
  by: StatedBy
  reports: Stated[]
}

function readGeojson(file: Buffer, text: string, file_name: string): Batch {
  const features = featuresOf(text)
  const spans = featureSpans(file)
  const batch = emptyBatch(features.length)
  const byProduct = new Map<string, ProductReports>()
  for (const [index, raw] of features.entries()) {
    const read = feature.safeParse(raw)
    const [issue] = read.error?.issues ?? []
    const row = `feature ${index + 1}`
    const report = read.success ? reportOf(read.data, row) : `${issue?.path.join('.')} ${issue?.message}`
    if (typeof report === 'string') {
      reject(batch, row, report)
      continue
    }
    const by = statedBy(present(read.data), file_name)
    if (!by) {
      reject(batch, row, 'it names neither its product nor its office')
      continue
    }
    const key = by.product_id ?? by.office
    const of = byProduct.get(key) ?? { by, reports: [] }
    byProduct.set(key, of)
    of.reports.push({ report, span: present(spans[index]) })
  }
  for (const { by, reports } of byProduct.values()) addReports(batch, by.product_id ? reports : reports.toSorted(byRevision), by)
  return batch
}

/**
 * Sorts reports without a product, which the service returns in no order: a correction after the report it corrects, and a
 * larger size last.
 */
function byRevision({ report: one }: Stated, { report: other }: Stated): number {
  const rank = ({ remark, magnitude }: StormReport) => [Number(isCorrection(remark)), magnitude?.value ?? 0, remark] as const
  const [a, b] = [rank(one), rank(other)]
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : Number(a[2] > b[2]))
}

function featuresOf(text: string): unknown[] {
  try {
    const body: { features?: unknown } = JSON.parse(withoutZeroEscapes(text))
    if (Array.isArray(body.features)) return body.features
  } catch {
    return refuseField('file', 'The GeoJSON is cut off or damaged.')
  }
  return refuseField('file', 'This is not a GeoJSON collection of local storm reports.')
}

const marks: Record<string, StormMagnitude['qualifier']> = { M: 'measured', E: 'estimated', U: 'unknown' }
/** The transcription of a rating: 0 is a strength, U an unknown one. */
const RATING = /^E?F$/i
const UNKNOWN = 'U'

function reportOf({ properties: p, geometry }: Feature, row: string): StormReport | string {
  const [longitude, latitude] = geometry.coordinates
  const magnitude = magnitudeOf(p)
  if (typeof magnitude === 'string') return magnitude
  return {
    row,
    at: new Date(/Z$|[+-]\d{2}:\d{2}$/.test(p.valid) ? p.valid : `${p.valid}Z`),
    type_text: p.typetext.trim(),
    magnitude,
    unknown_rating: isUnknownRating(p) ? `${p.unit}U`.toUpperCase() : null,
    city: p.city.trim(),
    county: (p.county ?? '').trim(),
    state: p.state ?? p.st ?? null,
    latitude,
    longitude,
    reporter: (p.source ?? '').trim(),
    remark: (p.remark ?? '').replace(/\s+/g, ' ').trim(),
  }
}

const isUnknownRating = ({ magnitude, unit }: Feature['properties']) => RATING.test(unit ?? '') && magnitude === UNKNOWN

function magnitudeOf(properties: Feature['properties']): StormMagnitude | null | string {
  const { magnitude, magf, unit, qualifier } = properties
  const value = magf ?? (magnitude === '' || magnitude == null ? null : Number(magnitude))
  const isRating = RATING.test(unit ?? '')
  if (value === null || isUnknownRating(properties)) return null
  if (!Number.isFinite(value)) return `its magnitude "${magnitude}" is not a number`
  const mark = marks[(qualifier ?? 'U').toUpperCase()] ?? 'unknown'
  if (isRating) return { qualifier: mark, value, unit: 'f_scale' }
  if (value === 0 && mark === 'unknown') return null
  const stated = inUnit(value, unit ?? '')
  return stated ? { qualifier: mark, ...stated } : `its unit "${unit ?? ''}" is not known`
}

/** 202506052207-KABQ-NWUS55-LSRABQ: the time of sending and the sender. Some responses name only the office. */
function statedBy({ properties: { product_id, wfo } }: Feature, file_name: string): StatedBy | null {
  if (product_id) return { product_id, office: product_id.slice(13, 17), sent_at: present(sentAt(product_id)), file_name }
  return wfo ? { product_id: null, office: wfo.length === 4 ? wfo : (overseas[wfo] ?? `K${wfo}`), sent_at: null, file_name } : null
}

/** Offices whose four letters do not begin with K, by the three letters that the service gives. */
const overseas: Record<string, string> = {
  AFC: 'PAFC',
  AFG: 'PAFG',
  AJK: 'PAJK',
  GUM: 'PGUM',
  HFO: 'PHFO',
  JSJ: 'TJSJ',
  PPG: 'NSTU',
  SJU: 'TJSJ',
}

function sentAt(product_id: string): Date | null {
  const parts = [4, 6, 8, 10].map((at) => Number(product_id.slice(at, at + 2)))
  const [month, day, hour, minute] = tupleOf(parts, 4)
  return localMoment({ year: Number(product_id.slice(0, 4)), month, day, hour, minute }, 0)
}
