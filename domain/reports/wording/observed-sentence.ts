import type { NearbyRecord } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { placeText } from '#domain/evidence/distance-text.ts'
import { largestOf, nearestOf, trusted, type Value } from '#domain/evidence/extremes.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { inches, sizeName, typeName } from '#domain/reports/wording/phrases.ts'
import type { Viewpoint } from '#domain/reports/wording/viewpoint.ts'
import { hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

/** The value by which records of a type are compared, and its wording. */
export interface Measure {
  value: Value
  /** "largest", "strongest". */
  superlative: string
  /** What is measured: "hail", "gust". */
  noun(record: NearbyRecord): string
  /** "2.75 in": the value alone; null if the record states none. */
  figure(record: NearbyRecord): string | null
  /** The kind of figure: the name of its size, gust or sustained. */
  kind(record: NearbyRecord): string | undefined
  /** Who measured, estimated or surveyed the figure. */
  by(record: NearbyRecord): string
  unstated: string
}

/**
 * States how many records of one type people or instruments made, and the largest and the nearest of them, each with its own value,
 * distance and day; one clause if both are the same record. Suspect records are counted, but give no figure.
 * @param records of one type, each with a place
 */
export function observedSentence(type: RecordType, records: NearbyRecord[], view: Viewpoint): string {
  const measure = measureOf(type, records)
  const head = `${countText(type, records.length, measure)} within ${formatNumber(view.window.radius_miles)} mi`
  const at = (record: NearbyRecord) => `${placeText(record, view.place)} on ${record.occurred_on}`
  const sound = trusted(records)
  const nearest = nearestOf(sound, measure?.value)
  if (!nearest) return `${head}, ${records.length === 1 ? 'with' : 'each with'} a caveat.`
  const strongest = measure && largestOf(sound, measure.value)
  if (!strongest) {
    // EFU is a rating of unknown strength: nothing is stronger than it, and it is no lack of a rating.
    if (measure && sound.some((record) => measure.figure(record) !== null))
      return `${head}${records.length === 1 ? ': ' : '; nearest '}${measureText(measure, nearest, measure.by(nearest))}, ${at(nearest)}.`
    const unstated = measure ? `, ${measure.unstated}${largestOf(records, measure.value) ? ' without a caveat' : ''}` : ''
    return `${head}${unstated}${records.length === 1 ? ', ' : '; nearest '}${at(nearest)}.`
  }
  const by = measure.by(strongest)
  const largest = `${measureText(measure, strongest, by)}, ${at(strongest)}`
  if (records.length === 1) return `${head}: ${largest}.`
  if (strongest === nearest) return `${head}: ${measure.superlative} and nearest ${largest}.`
  // A source that both share is stated only once.
  const near = measureText(measure, nearest, measure.by(nearest) === by ? undefined : measure.by(nearest))
  return `${head}: ${measure.superlative} ${largest}; nearest ${near}, ${at(nearest)}.`
}

function countText(type: RecordType, count: number, measure: Measure | null): string {
  const name = typeName(type)
  if (!measure || type === 'tornado') return pluralize(count, `${name} record`)
  return `${pluralize(count, hailTypes.includes(type) ? 'ground report' : 'report')} of ${name}`
}

/** "2.75 in (baseball; measured)" */
function measureText({ figure, kind, unstated }: Measure, record: NearbyRecord, by: string | undefined): string {
  const stated = figure(record)
  if (stated === null) return `(${unstated})`
  const details = [kind(record), by].filter(Boolean).join('; ')
  return details ? `${stated} (${details})` : stated
}

/** Returns null for a type that states only count and place. Wind outside thunderstorms has a speed if a report states one. */
function measureOf(type: RecordType, records: NearbyRecord[]): Measure | null {
  if (type === 'tornado') return measures.tornado
  if (hailTypes.includes(type)) return measures.hail
  if (type === 'thunderstorm_wind') return measures.wind
  return windTypes.includes(type) && records.some((record) => speedOf(record) !== null) ? measures.wind : null
}

export const measures = {
  tornado: {
    value: ({ tornado_ef_scale }) => tornado_ef_scale,
    superlative: 'strongest',
    noun: () => 'tornado',
    figure: tornadoRating,
    kind: ({ tornado_ef_scale }) => (tornado_ef_scale === null ? 'strength unknown' : undefined),
    by: ({ qualifier }) => (qualifier === 'surveyed' ? 'NWS survey' : 'estimated by the source'),
    unstated: 'strength not rated',
  },
  hail: {
    value: ({ hail_size_in }) => hail_size_in,
    superlative: 'largest',
    noun: () => 'hail',
    figure: ({ hail_size_in }) => (hail_size_in === null ? null : `${inches(hail_size_in)} in`),
    kind: ({ hail_size_in }) => sizeName(hail_size_in ?? 0),
    by: qualifierText,
    unstated: 'size not stated',
  },
  wind: {
    value: speedOf,
    superlative: 'strongest',
    noun: (record) => windNouns[windKind(record) ?? 'unstated'],
    figure: (record) => {
      const speed = speedOf(record)
      return speed === null ? null : `${formatNumber(speed)} mph`
    },
    kind: windKind,
    by: qualifierText,
    unstated: 'speed not stated',
  },
} satisfies Record<string, Measure>

function speedOf({ wind_gust_mph, wind_speed_mph }: NearbyRecord): number | null {
  return wind_gust_mph ?? wind_speed_mph
}

const windNouns = { gust: 'gust', sustained: 'sustained wind', unstated: 'wind' }

/** Rows before 1996 state neither whether the wind was a gust nor whether it was measured. */
function windKind({ wind_gust_mph, qualifier }: NearbyRecord): 'gust' | 'sustained' | undefined {
  if (wind_gust_mph === null) return 'sustained'
  return qualifier === 'unknown' ? undefined : 'gust'
}

function qualifierText({ qualifier }: NearbyRecord): string {
  if (qualifier === 'measured') return 'measured'
  return qualifier === 'estimated' ? 'estimated by the source' : 'measured or estimated: not stated'
}
