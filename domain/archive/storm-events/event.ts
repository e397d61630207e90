import { decimalOf } from '#domain/archive/files/decimal.ts'
import { cleanText } from '#domain/archive/files/text.ts'
import { impossibleMagnitude, magnitudeCaveat, TORNADO_WIDTH_MAX_YD } from '#domain/archive/plausibility.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { placeOf } from '#domain/archive/storm-events/place.ts'
import type { EventRow } from '#domain/archive/storm-events/row.ts'
import { dateOf, timeOf } from '#domain/archive/storm-events/time.ts'
import { ratingNote } from '#domain/archive/tornado-rating.ts'
import type { Qualifier } from '#domain/closed-sets.ts'
import { valueAt } from '#domain/kernel/keys-of.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { typeOfStormEvent } from '#domain/weather/source-names.ts'
import type { EvidenceKind, RecordSource } from '#domain/weather/sources.ts'
import { familyOf, hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'
import { MPH_PER_KNOT } from '#domain/weather/units.ts'

/** What the file contributes to each of its records. */
export interface FileFacts {
  source: RecordSource
  file_name: string
  compiled_on: string | null
  cite(record: Pick<ArchiveRecord, 'source_key' | 'occurred_on' | 'begins_at'>): string
}

/** Returns the record of a row, or the reason why the row is not usable. */
export function recordOf(row: EventRow, file: FileFacts): ArchiveRecord | string {
  const named = typeOfStormEvent(row.event_type)
  const time = timeOf(row, named.type, file.compiled_on)
  if (typeof time === 'string') return time
  const place = placeOf(row, named.type)
  if (typeof place === 'string') return place
  const measured = measure(row, named.type)
  if (typeof measured === 'string') return measured
  const sized = { type: named.type, ...measured.magnitudes }
  const impossible = impossibleMagnitude(sized)
  if (impossible) return impossible

  const occurred_on = dateOf(time, place.timezone, row.state)
  const notes = [
    named.mapped ? `Source type: ${row.event_type.trim()}.` : '',
    row.rating ? ratingNote(row.rating) : '',
    occurred_on === time.filed_on ? '' : `Filed by the source under ${time.filed_on}, local ${time.clock} time.`,
  ]
  const key = { source_key: `${row.begin.year}/${row.event_id}`, occurred_on, begins_at: time.begins_at }
  return {
    source: file.source,
    ...key,
    ...sized,
    tornado_width_yd: named.type === 'tornado' ? widthOf(row) : null,
    family: familyOf(named.type),
    severity: severityOf(sized),
    ends_at: time.ends_at,
    time_unsure: time.unsure,
    latitude: place.latitude,
    longitude: place.longitude,
    end_latitude: place.end_latitude,
    end_longitude: place.end_longitude,
    corners: null,
    county: place.county,
    county_fips: place.county_fips,
    county_mismatch: place.county_mismatch,
    zone: place.zone,
    state: row.state?.code ?? null,
    precision: place.precision,
    evidence_kind: evidenceOf(row),
    is_observed: true,
    qualifier: measured.qualifier,
    preliminary: false,
    reporter: row.source || null,
    file_name: file.file_name,
    citation_url: file.cite(key),
    description: [narrativeOf(row), ...notes].filter(Boolean).join(' '),
    caveats: [...place.caveats, ...time.caveats, magnitudeCaveat(sized)].filter((caveat) => caveat !== null),
    compiled_on: file.compiled_on,
  }
}

function narrativeOf(row: EventRow): string {
  return cleanText(row.event_narrative) || cleanText(row.episode_narrative)
}

// ---------------------------------------------------------------- how much

interface Measured {
  magnitudes: { wind_speed_mph: number | null; wind_gust_mph: number | null; hail_size_in: number | null; tornado_ef_scale: number | null }
  qualifier: Qualifier | null
}

const nothing = { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: null, tornado_ef_scale: null }

/** MG and EG are gusts, MS and ES are sustained wind, in knots. M is measured, E is estimated. */
const byMagnitudeType: Record<string, { key: 'wind_gust_mph' | 'wind_speed_mph'; qualifier: Qualifier }> = {
  MG: { key: 'wind_gust_mph', qualifier: 'measured' },
  EG: { key: 'wind_gust_mph', qualifier: 'estimated' },
  MS: { key: 'wind_speed_mph', qualifier: 'measured' },
  ES: { key: 'wind_speed_mph', qualifier: 'estimated' },
  '': { key: 'wind_gust_mph', qualifier: 'unknown' },
}

/** F2 and EF2 alike; U is a tornado whose strength could not be determined. */
const RATING = /^E?F([0-5U])$/
const SURVEY = 'NWS STORM SURVEY'

function measure(row: EventRow, type: RecordType): Measured | string {
  // Until 1995, 0 means unknown. In later years, too, a wind or a hailstone of 0 is not a report.
  const stated = row.magnitude === '' ? 0 : decimalOf(row.magnitude)
  if (!(stated >= 0)) return `MAGNITUDE "${row.magnitude}" is not a size or a speed`
  const magnitude = stated || null
  if (hailTypes.includes(type)) return { magnitudes: { ...nothing, hail_size_in: magnitude }, qualifier: 'unknown' }
  if (type === 'tornado') return rate(row)
  const wind = valueAt(byMagnitudeType, row.magnitude_type)
  if (!wind) return `MAGNITUDE_TYPE "${row.magnitude_type}" is not known`
  if (!windTypes.includes(type) && row.magnitude_type === '') return { magnitudes: nothing, qualifier: null }
  return { magnitudes: { ...nothing, [wind.key]: magnitude && Math.round(magnitude * MPH_PER_KNOT) }, qualifier: wind.qualifier }
}

function rate(row: EventRow): Measured | string {
  const rating = RATING.exec(row.rating)?.[1]
  if (row.rating && !rating) return `TOR_F_SCALE "${row.rating}" is not a rating`
  const scale = rating === undefined || rating === 'U' ? null : Number(rating)
  return { magnitudes: { ...nothing, tornado_ef_scale: scale }, qualifier: row.source.toUpperCase() === SURVEY ? 'surveyed' : 'estimated' }
}

/** Returns the width of a path. 0 means unknown, and an unreadable width is no reason to reject the tornado. */
function widthOf({ path_width }: EventRow): number | null {
  const yards = decimalOf(path_width)
  return yards > 0 && yards <= TORNADO_WIDTH_MAX_YD ? yards : null
}

/** Reporters that measure with an instrument, in any case; later files spell their names out. */
const INSTRUMENTS = /^(ASOS|AWOS|MESONET|COOP( OBSERVER| STATION)?|C-MAN( STATION)?|BUOY|OFFICIAL NWS (OBSERVATIONS|OBS\.))$/i

function evidenceOf(row: EventRow): EvidenceKind {
  return row.magnitude_type.startsWith('M') && INSTRUMENTS.test(row.source) ? 'instrument' : 'ground'
}
