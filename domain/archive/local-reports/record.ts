import { cleanText, titleCase } from '#domain/archive/files/text.ts'
import { impossibleMagnitude, magnitudeCaveat, placeCaveat, reportTimeCaveat } from '#domain/archive/plausibility.ts'
import type { StormReport } from '#domain/archive/products/storm-reports.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { ratingNote } from '#domain/archive/tornado-rating.ts'
import type { Qualifier } from '#domain/closed-sets.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { countiesNamed } from '#domain/geo/county-names.ts'
import { stateByCode } from '#domain/geo/states.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { typeOfLocalReport } from '#domain/weather/source-names.ts'
import { familyOf, hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

/** The product that contains a report, or only the office if its transcription names no product. */
export interface StatedBy {
  /** 202506052240-KLUB-NWUS54-LSRLUB */
  product_id: string | null
  /** Four letters of the sending office: KLUB. */
  office: string
  sent_at: Date | null
  file_name: string
}

/** The page that shows local storm reports, cited for a report whose product is not known. */
export const REPORTS_PAGE = 'https://mesonet.agron.iastate.edu/lsr/'

/** Returns the archive's record of a local storm report, or the reason why the report is not usable. */
export function recordOfReport(report: StormReport, by: StatedBy): ArchiveRecord | string {
  const { at, latitude, longitude } = report
  const named = typeOfLocalReport(report.type_text)
  const measured = measure(report, named.type)
  const sized = { type: named.type, ...measured.magnitudes }
  const impossible = impossibleReport(report, by) ?? impossibleMagnitude(sized)
  if (impossible) return impossible
  const over = countyAt(latitude, longitude)
  const state = stateByCode(report.state ?? '')?.code ?? over?.state ?? null
  // The county boundaries are coarse, so the report's own county name decides. At sea it names a marine zone.
  const counties = state === null ? [] : countiesNamed(state, report.county)
  const county = counties.find(({ fips }) => fips === over?.fips)
  const notes = [named.mapped ? `Source type: ${report.type_text}.` : '', measured.note]
  return {
    source: 'nws_lsr',
    source_key: keyOf(report, by),
    ...sized,
    family: familyOf(named.type),
    severity: severityOf(sized),
    occurred_on: localDate(at, timezoneAt(latitude, longitude)),
    begins_at: at,
    ends_at: null,
    time_unsure: false,
    latitude,
    longitude,
    end_latitude: null,
    end_longitude: null,
    corners: null,
    county: county?.name ?? (MARINE_ZONE.test(report.county) ? null : titleCase(report.county) || null),
    county_fips: county?.fips ?? null,
    zone: null,
    state,
    precision: 'point',
    evidence_kind: 'ground',
    is_observed: true,
    qualifier: measured.qualifier,
    preliminary: true,
    reporter: report.reporter || null,
    file_name: by.file_name,
    citation_url: by.product_id ? `https://mesonet.agron.iastate.edu/p.php?pid=${by.product_id}` : REPORTS_PAGE,
    description: [cleanText(report.remark), ...notes].filter(Boolean).join(' '),
    caveats: [
      county ? null : placeCaveat(report, counties, MARINE_ZONE.test(report.county) ? null : report.state),
      by.sent_at && reportTimeCaveat(at, by.sent_at, SURVEY.test(report.reporter)),
      magnitudeCaveat(sized),
    ].filter((caveat) => caveat !== null),
    compiled_on: null,
    issued_at: by.sent_at,
  }
}

/** Products go out during a storm. A report's time may be a few minutes after its product, by the reporter's clock, but never days. */
const AHEAD_MS_MAX = HOUR_MS
/** After this the final record is out and no preliminary reports arrive: the year is wrong. */
const LATE_MS_MAX = 120 * DAY_MS
/** Offices have sent such reports for some decades: an earlier year is a mistake, and keys have years of four digits. */
const FIRST_YEAR = 1970
const RATING_MAX = 5

function impossibleReport({ at, magnitude, latitude, longitude }: StormReport, { sent_at }: StatedBy): string | null {
  if (sent_at && at.getTime() > sent_at.getTime() + AHEAD_MS_MAX) return 'its time is later than the product itself'
  if (sent_at && at.getTime() < sent_at.getTime() - LATE_MS_MAX) return 'its time is more than 120 days before the product itself'
  if (at.getUTCFullYear() < FIRST_YEAR) return `its time is before ${FIRST_YEAR}`
  if (!latitude || !longitude || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'its point is not on the earth'
  if (magnitude === null) return null
  const { unit, value } = magnitude
  if (unit === 'f_scale') return Number.isInteger(value) && value >= 0 && value <= RATING_MAX ? null : `its rating F${value} does not exist`
  // Tides are given in feet below a datum.
  return value < 0 && unit !== 'ft' ? `its magnitude of ${value} ${unitNames[unit]} is below 0` : null
}

const MARINE_ZONE = /^[A-Z]{2}Z\d{3}$/i

/**
 * Returns the key of a report: office, time, event and place. These stay the same when its size grows, and when a later
 * product repeats it. If they change, the report replaces the one it corrects if its remark says so (corrections.ts); else
 * both stay.
 */
function keyOf(report: StormReport, { office }: StatedBy): string {
  const area = `${(report.state ?? '').toUpperCase()}-${folded(report.county)}`
  return [report.at.getUTCFullYear(), office, minuteOf(report.at), folded(report.type_text), area, folded(report.city)].join('/')
}

/** 202606012012 */
const minuteOf = (at: Date) => at.toISOString().replace(/\D/g, '').slice(0, 'YYYYMMDDHHMM'.length)

/** Returns the key ranges of the offices' reports between two times: one range for each office and year. */
export function keysBetween(offices: string[], from: Date, before: Date): { first: string; after: string }[] {
  const [first, last] = [from.getUTCFullYear(), before.getUTCFullYear()]
  const years = Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  return offices.flatMap((office) =>
    years.map((year) => ({ first: `${year}/${office}/${minuteOf(from)}`, after: `${year}/${office}/${minuteOf(before)}` })),
  )
}

/** Upper case, single spaces between words: text products and their transcription then agree. */
export function folded(text: string): string {
  return text.toUpperCase().replaceAll('/', ' ').replace(/\s+/g, ' ').trim()
}

interface Measured {
  magnitudes: Pick<ArchiveRecord, 'wind_speed_mph' | 'wind_gust_mph' | 'hail_size_in' | 'tornado_ef_scale'>
  qualifier: Qualifier | null
  /** A magnitude that has no column: 4.50 inches of snow, a tornado rated EFU. */
  note: string
}

const nothing = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: null, tornado_ef_scale: null }
/** The only event text whose speed is sustained. */
const SUSTAINED = /SUST/i
const SURVEY = /NWS STORM SURVEY/i
const unitNames = { in: 'inches', mph: 'mph', mi: 'miles', ft: 'feet', acre: 'acres', f_scale: 'on the Fujita scale' } as const

function measure({ magnitude, unknown_rating, type_text, reporter }: StormReport, type: RecordType): Measured {
  const qualifier = magnitude?.qualifier ?? 'unknown'
  if (type === 'tornado') {
    const scale = magnitude?.unit === 'f_scale' ? magnitude.value : null
    return {
      magnitudes: { ...nothing, tornado_ef_scale: scale },
      qualifier: SURVEY.test(reporter) ? 'surveyed' : 'estimated',
      note: unknown_rating === null ? '' : ratingNote(unknown_rating),
    }
  }
  if (hailTypes.includes(type) && (magnitude === null || magnitude.unit === 'in'))
    return { magnitudes: { ...nothing, hail_size_in: magnitude?.value || null }, qualifier, note: '' }
  if (windTypes.includes(type) && (magnitude === null || magnitude.unit === 'mph')) {
    const key = SUSTAINED.test(type_text) ? 'wind_speed_mph' : 'wind_gust_mph'
    return { magnitudes: { ...nothing, [key]: magnitude?.value || null }, qualifier, note: '' }
  }
  const note = magnitude ? `${magnitude.value} ${unitNames[magnitude.unit]}${qualifier === 'unknown' ? '' : `, ${qualifier}`}.` : ''
  return { magnitudes: nothing, qualifier: null, note }
}
