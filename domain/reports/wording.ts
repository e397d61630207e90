import type { MonthSpan, WindowCoverage } from '#domain/archive/coverage.ts'
import { type RecordType, recordTypes } from '#domain/archive/families.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { sourceOf } from '#domain/archive/sources/index.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { isRadar } from '#domain/reports/episodes.ts'
import { groupBy } from '#domain/reports/group.ts'
import { counted, listed, plain } from '#domain/reports/phrases.ts'
import { arealSentences } from '#domain/reports/wording-areal.ts'
import { radarSentences } from '#domain/reports/wording-radar.ts'
import { seenSentence } from '#domain/reports/wording-seen.ts'
import { sourcesSentence, zonesSentence } from '#domain/reports/wording-sources.ts'

/** From where a report looks: what its sentences need to know beside the records. */
export interface Viewpoint {
  place: LocatedPlace
  window: { start: string; end: string; radius_miles: number }
  /** False where the place is a centre of a ZIP or city. */
  precise: boolean
  /** True where made-up records answer: every text says so. */
  sample: boolean
}

/** What a finding says first: the phenomena people ask about, then the rest in the vocabulary's order. */
const foremost: RecordType[] = ['tornado', 'hail', 'marine_hail', 'thunderstorm_wind', 'marine_thunderstorm_wind']
const telling: RecordType[] = [...foremost, ...recordTypes.filter((type) => !foremost.includes(type))]

/** What the records of one family say, as sentences: how many, how strong and by whose word, how near, on which day, from which source. */
export function statementOf(records: NearbyRecord[], view: Viewpoint): string {
  const byType = groupBy(records, (record) => record.type)
  const told = telling.flatMap((type) => {
    const ofType = byType.get(type)
    return ofType ? sentencesOf(type, ofType, view) : []
  })
  return marked([...told, sourcesSentence(records), zonesSentence(records, view), placeNote(view)], view)
}

/** What a report says where it cites nothing of hail, wind or tornado, nor anything else. */
export function nothingFound(coverage: WindowCoverage, view: Viewpoint): string {
  const { start, end, radius_miles } = view.window
  const searched =
    coverage.sources.length === 0
      ? ': no source holds records of that time'
      : ` in the ${counted(coverage.sources.length, 'source')} searched`
  const nothing = `No hail, wind or tornado records were found within ${plain(radius_miles)} mi from ${start} to ${end}${searched}.`
  return marked([nothing, 'Absence of a record does not show that none occurred.', placeNote(view)], view)
}

/** The strongest finding's statement, or that nothing was found; then the months of which nothing is held, or not all. */
export function headlineOf(strongest: string | undefined, coverage: WindowCoverage, view: Viewpoint): string {
  const { missing, in_part } = coverage
  return [
    strongest ?? nothingFound(coverage, view),
    ...(missing.length === 0 ? [] : [`No records are held for ${spansOf(missing)}.`]),
    ...(in_part.length === 0 ? [] : [`Records of ${spansOf(in_part)} are held in part.`]),
  ].join(' ')
}

/** "2018-01 to 2018-12 and 2020-03" */
export function spansOf(months: MonthSpan[]): string {
  return listed(months.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)))
}

/** Where distances are measured from, unless it is the building or its street. */
export function placeNote({ place, precise }: Pick<Viewpoint, 'place' | 'precise'>): string | null {
  if (precise) return null
  const centre =
    place.precision === 'zip' && place.postal_code ? `ZIP ${place.postal_code}` : [place.city, place.state].filter(Boolean).join(', ')
  return `Distances are from the centre of ${centre}, not from the building.`
}

/** Joins the sentences, and says of made-up evidence that it is. */
export function marked(sentences: (string | null)[], { sample }: Pick<Viewpoint, 'sample'>): string {
  const text = sentences.filter((sentence) => sentence !== null).join(' ')
  return sample ? `${sourceOf({ source: 'sample' }).label}: ${text}` : text
}

function sentencesOf(type: RecordType, records: NearbyRecord[], view: Viewpoint): string[] {
  const placed = records.filter((record) => record.distance_miles !== null)
  const seen = placed.filter((record) => !isRadar(record))
  const scanned = placed.filter(isRadar)
  const areal = records.filter((record) => record.distance_miles === null)
  return [
    ...(seen.length > 0 ? [seenSentence(type, seen, view.window.radius_miles)] : []),
    ...(scanned.length > 0 ? radarSentences(scanned, seen, view) : []),
    ...arealSentences(type, areal),
  ]
}
