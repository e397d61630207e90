import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Precision } from '#domain/closed-sets.ts'
import { largestOf, trusted } from '#domain/evidence/extremes.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { present } from '#domain/kernel/present.ts'
import { joinList, pluralize } from '#domain/kernel/text.ts'
import { type Measure, measures } from '#domain/reports/wording/observed-sentence.ts'
import { areaName, areaNameAlone, typeName } from '#domain/reports/wording/phrases.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** The most counties or zones that are named one by one; further ones are counted. */
const NAMED_MAX = 5

/**
 * Returns the sentences on records that name a county or a forecast zone. They state no distance, and are kept apart from records with a place.
 * @param types in the order of the text
 */
export function arealSentences(records: NearbyRecord[], types: RecordType[]): string[] {
  const areas: [Precision, string, string][] = [
    ['county', 'county record', 'the county'],
    ['zone', 'zone record', 'a forecast zone'],
  ]
  return areas.flatMap(([precision, noun, area]) => {
    const matching = records.filter((record) => record.precision === precision)
    return matching.length === 0 ? [] : [arealSentence(matching, types, noun, area)]
  })
}

/** "215 county records of hail and thunderstorm wind for Oklahoma and Canadian counties; they name the county, not a point (largest hail 4.50 in, Canadian County, 1994-08-17)." */
function arealSentence(records: NearbyRecord[], types: RecordType[], noun: string, area: string): string {
  const named = types.filter((type) => records.some((record) => record.type === type)).map(typeName)
  const name = records.length === 1 ? 'it names' : 'they name'
  return `${pluralize(records.length, noun)} of ${joinList(named)} for ${areasOf(records)}; ${name} ${area}, not a point${peaksOf(records)}.`
}

/** The word after a list of areas whose names all have this ending. */
const nouns = { ' County': { one: 'county', many: 'counties' }, ' Parish': { one: 'parish', many: 'parishes' } }

/** "Oklahoma and Canadian counties", "Oklahoma, Canadian, Logan, Creek, Payne and 1 more county": those with the most records first. */
function areasOf(records: NearbyRecord[]): string {
  const byArea = groupBy(records, (record) => record.zone ?? record.county_fips ?? record.county ?? '')
  const states = new Set(records.map(({ state }) => state))
  const names = [...byArea.values()]
    .map(([first, ...others]) => ({ count: others.length, name: areaName(present(first)), record: present(first) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .map(({ name, record }) => (states.size > 1 && record.precision === 'county' ? `${name} (${record.state})` : name))
  const more = names.length - NAMED_MAX
  const shown = more > 0 ? [...names.slice(0, NAMED_MAX), `${more} more`] : names
  const ending = keysOf(nouns).find((one) => names.every((name) => name.endsWith(one)))
  if (!ending || names.length === 1) return joinList(shown)
  const listed = joinList(shown.map((name) => name.replace(new RegExp(`${ending}$`), '')))
  return `${listed} ${more === 1 ? nouns[ending].one : nouns[ending].many}`
}

/** Returns the largest of each kind with its own area and day; if no record states a value, the newest day. */
function peaksOf(records: NearbyRecord[]): string {
  const single = records.length === 1
  const sound = trusted(records)
  if (sound.length === 0) return `, ${single ? 'with' : 'each with'} a caveat`
  const peaks = Object.values(measures).flatMap((measure: Measure) => {
    const record = largestOf(sound, measure.value)
    return record ? [`${single ? '' : `${measure.superlative} `}${peakText(measure, record)}`] : []
  })
  const newest = sound.reduce((latest, { occurred_on }) => (occurred_on > latest ? occurred_on : latest), '')
  return ` (${peaks.length > 0 ? peaks.join('; ') : `${single ? '' : 'most recent '}${newest}`})`
}

/** "hail 4.50 in, Canadian County, 1994-08-17", "gust 74 mph measured, Northern Erie, 2019-02-24" */
function peakText(measure: Measure, record: NearbyRecord): string {
  const { qualifier, occurred_on } = record
  const qualifierText = qualifier === 'measured' || qualifier === 'estimated' ? ` ${qualifier}` : ''
  return `${measure.noun(record)} ${measure.figure(record)}${qualifierText}, ${areaNameAlone(record)}, ${occurred_on}`
}
