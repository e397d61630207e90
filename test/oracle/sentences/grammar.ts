import { openReader, type Reader } from './reader.ts'

/**
 * The grammar of a report's texts, written from the decisions about wording without any code of the service. It
 * reads every sentence to its last character, and returns the claims.
 */

/** A value with its kind of observation; null if the text says that none is stated. */
export interface Figure {
  /** "2.75 in", "80 mph", "F3" */
  stated: string | null
  /** The text in brackets after it. */
  details: string[]
}

/** The stated location of a record. */
export type Place =
  | { at: 'miles'; miles: string; bearing: string | null; part: string | null }
  | { at: 'over'; what: string; part: string | null }
  | { at: 'area'; name: string }
  | { at: 'unsaid' }

/** One figure, place and day that must all belong to one record. */
export interface Claim {
  figure: Figure | null
  place: Place
  date: string
}

export type Sentence =
  | { says: 'seen'; count: number; noun: string; type: string; radius: string; most: Claim | null; nearest: Claim | null; suspect: boolean }
  | { says: 'radar'; most: Claim; nearest: Claim }
  | { says: 'no ground report'; of_hail: boolean; radius: string }
  | {
      says: 'areal'
      count: number
      precision: string
      types: string[]
      areas: string[]
      more: number
      peaks: Claim[]
      newest: string | null
      suspect: boolean
    }
  | { says: 'doubted'; count: number; of: number }
  | { says: 'sources'; names: string[] }
  | { says: 'from'; centre: string }
  | { says: 'nothing'; unplaced: number; radius: string; start: string; end: string; sources: number }
  | { says: 'fixed' }

export interface Headline {
  sample: boolean
  incomplete: boolean
  /** Null if nothing, or nothing without a caveat, is cited. */
  lead: { type: string; verb: string; claim: Claim } | null
  /** Null if the headline is about nothing cited. */
  count: number | null
  nothing: { radius: string; start: string; end: string } | null
  centre: string | null
}

const DATE = /(\d{4}-\d{2}-\d{2})/.source
/** The types that alone a source has records of; test/oracle/coverage.ts compares when it is said. */
const LISTED = /(?:Before \d{4} the|The) only records in the [A-Za-z ]+ are of [a-z, ]+\./.source
const MILES = /(\d+(?:\.\d+)?) mi/.source
const BEARING = /([NS][NS]?[EW]|[EW][NS][EW]|[NESW])\b/.source
const FIGURE = /(\d+\.\d{2} in|\d+(?:\.\d+)? mph|E?F[0-5U])/.source
const BESIDE = / \(([^()]*)\)/.source

// ---------------------------------------------------------------- statements

export function readStatement(text: string): { sample: boolean; sentences: Sentence[] } {
  const reader = openReader(text)
  const sample = reader.take(/Sample, made up: /) !== null
  const sentences: Sentence[] = []
  do sentences.push(readSentence(reader))
  while (reader.take(/ /))
  if (!reader.isAtEnd()) reader.need(/$/)
  return { sample, sentences }
}

function readSentence(reader: Reader): Sentence {
  for (const read of [readNothing, readSeen, readRadar, readAreal, readDoubt, readRest]) {
    const sentence = read(reader)
    if (sentence) return sentence
  }
  reader.need(/(?!)/)
  throw new Error('unreachable')
}

function readSeen(reader: Reader): Sentence | null {
  const head =
    reader.take(new RegExp(`(\\d+) (ground reports?|reports?) of ([a-z ]+?) within ${MILES}`)) ??
    reader.take(new RegExp(`(\\d+) ()([a-z ]+?) records? within ${MILES}`))
  if (!head) return null
  const [, count, noun, name, radius] = head as string[]
  const base = {
    says: 'seen' as const,
    count: Number(count),
    noun: noun as string,
    type: typeNamed(name as string),
    radius: radius as string,
  }
  if (reader.take(/, (?:each )?with a caveat\./)) return { ...base, most: null, nearest: null, suspect: true }
  const unstated = reader.take(/, (?:size not stated|speed not stated|strength not rated)(?: without a caveat)?(?=[;,])/) !== null
  if (unstated || !reader.take(/: /)) {
    reader.need(base.count === 1 ? /, / : /; nearest /)
    const nearest = unstated ? readPlaced(reader, { stated: null, details: [] }) : (readUnknown(reader) ?? readPlaced(reader, null))
    reader.need(/\./)
    return { ...base, most: null, nearest, suspect: false }
  }
  const unknown = readUnknown(reader)
  if (unknown) {
    reader.need(/\./)
    return { ...base, most: null, nearest: unknown, suspect: false }
  }
  const both = reader.take(/(?:largest|strongest) and nearest /) !== null
  if (!both && base.count > 1) reader.need(/(?:largest|strongest) /)
  const most = readClaim(reader)
  const nearest = both || base.count === 1 ? most : readNearest(reader)
  reader.need(/\./)
  return { ...base, most, nearest, suspect: false }
}

/** "EFU (strength unknown; NWS survey), 0.40 mi N on 2025-05-28": no strength that could be the largest. Null for anything else. */
function readUnknown(reader: Reader): Claim | null {
  const found = reader.take(/(E?FU) \((strength unknown; [^()]+)\), |\(strength not rated\), /)
  if (!found) return null
  const [, stated = null, details] = found
  return readPlaced(reader, { stated, details: details?.split('; ') ?? [] })
}

function readNearest(reader: Reader): Claim {
  reader.need(/; nearest /)
  return readClaim(reader)
}

/** "2.75 in (baseball; measured), 4.20 mi NE on 1992-09-06" */
function readClaim(reader: Reader): Claim {
  const unstated = reader.take(/\((?:size not stated|speed not stated|strength not rated)\)/)
  const figure = unstated ? { stated: null, details: [] } : readFigure(reader)
  reader.need(/, /)
  return readPlaced(reader, figure)
}

function readFigure(reader: Reader): Figure {
  const [, stated, details] = reader.need(new RegExp(`${FIGURE}(?:${BESIDE})?`))
  return { stated: stated as string, details: details === undefined ? [] : details.split('; ') }
}

function readPlaced(reader: Reader, figure: Figure | null): Claim {
  const place = readPlace(reader)
  const [, date] = reader.need(new RegExp(` on ${DATE}`))
  return { figure, place, date: date as string }
}

function readPlace(reader: Reader): Place {
  const part = reader.take(/(path|area) /)?.[1] ?? null
  const over = reader.take(/over (this location|the centre of .+?)(?= on \d{4}-)/)
  if (over) return { at: 'over', what: over[1] as string, part }
  const [, miles, bearing] = reader.need(new RegExp(`${MILES}(?: ${BEARING})?`))
  return { at: 'miles', miles: miles as string, bearing: bearing ?? null, part }
}

function readRadar(reader: Reader): Sentence | null {
  if (!reader.take(/Radar estimated hail up to /)) return null
  const estimate = (): Claim => {
    const [, stated] = reader.need(/(\d+\.\d{2} in)(?:,(?= \d)|(?= over))/)
    reader.need(/ /)
    const claim = readPlaced(reader, { stated: stated as string, details: [] })
    reader.take(/ \(largest of (?:the day|the moments held of the day|the [^()]+ of (?:the next day|that day|the day before))\)/)
    reader.take(/, inside the \d+\.\d{2} in band/)
    return claim
  }
  const most = estimate()
  const nearest = reader.take(/; nearest /) ? estimate() : most
  reader.need(/\./)
  return { says: 'radar', most, nearest }
}

function readAreal(reader: Reader): Sentence | null {
  const head = reader.take(
    /(\d+) (county|zone) records? of ([a-z, ]+?) for (.+?); (?:they name|it names) (the county|a forecast zone), not a point/,
  )
  if (!head) return null
  const [, count, precision, types, areas] = head as string[]
  const [names, more] = readAreas(areas as string)
  const base = {
    says: 'areal' as const,
    count: Number(count),
    precision: precision as string,
    types: listOf(types as string).map(typeNamed),
    areas: names,
    more,
  }
  if (reader.take(/, (?:each )?with a caveat\./)) return { ...base, peaks: [], newest: null, suspect: true }
  const newest = reader.take(new RegExp(` \\((?:most recent )?${DATE}\\)\\.`))
  if (newest) return { ...base, peaks: [], newest: newest[1] as string, suspect: false }
  reader.need(/ \(/)
  const peaks = [readPeak(reader)]
  while (reader.take(/; /)) peaks.push(readPeak(reader))
  reader.need(/\)\./)
  return { ...base, peaks, newest: null, suspect: false }
}

/** "largest hail 4.50 in, Canadian County, 1994-08-17" */
function readPeak(reader: Reader): Claim {
  const [, stated, detail, name, date] = reader.need(
    new RegExp(`(?:(?:largest |strongest )?(?:hail|wind|gust|sustained wind|tornado)) ${FIGURE}(?: (measured|estimated))?, (.+?), ${DATE}`),
  )
  return {
    figure: { stated: stated as string, details: detail ? [detail] : [] },
    place: { at: 'area', name: name as string },
    date: date as string,
  }
}

/** "Oklahoma, Canadian and 2 more counties", "... and 1 more county": the names, and the number of others. */
function readAreas(text: string): [names: string[], more: number] {
  const word = / (county|counties|parish|parishes)$/.exec(text)
  const names = listOf(word ? text.slice(0, word.index) : text)
  const more = /^(\d+) more$/.exec(names.at(-1) ?? '')
  return more ? [names.slice(0, -1), Number(more[1])] : [names, 0]
}

function readDoubt(reader: Reader): Sentence | null {
  const found = reader.take(/(\d+) of the (\d+) records (?:carries|carry) a caveat: no figure here is of (?:it|them)\./)
  return found && { says: 'doubted', count: Number(found[1]), of: Number(found[2]) }
}

function readNothing(reader: Reader): Sentence | null {
  const unplaced = reader.take(
    /(\d+) forecast-zone records? of .+? in this window \(.+?\) could not be placed: (?:no zone table is held|the zone table held does not name their zones)(?:; (\d+) forecast-zone records? .+?)*\. /,
  )
  const found = reader.take(
    new RegExp(
      `(?:No records were|No record that names a point or a county was) found within ${MILES} from ${DATE} to ${DATE}(?: in the (\\d+) sources? searched|: no source was searched for that time)\\.(?: ${LISTED})* Absence of a record does not show that none occurred\\.`,
    ),
  )
  if (!found) return null
  const [, radius, start, end, sources] = found as string[]
  return {
    says: 'nothing',
    unplaced: Number(unplaced?.[1] ?? 0),
    radius: radius as string,
    start: start as string,
    end: end as string,
    sources: Number(sources ?? 0),
  }
}

/** Sentences that claim nothing about a single record. */
function readRest(reader: Reader): Sentence | null {
  const absent = reader.take(new RegExp(`No ground report( of hail)? within ${MILES} was found\\.`))
  if (absent) return { says: 'no ground report', of_hail: absent[1] !== undefined, radius: absent[2] as string }
  if (reader.take(new RegExp(`\\d+ radar estimates? of hail within ${MILES}, (?:each )?with a caveat\\.`))) return { says: 'fixed' }
  if (reader.take(/Radar size is an estimate of hail aloft, not a measurement at the ground\./)) return { says: 'fixed' }
  const sources = reader.take(/Sources?: (.+?)\.(?= Dates are local)/)
  if (sources) return { says: 'sources', names: listOf(sources[1] as string) }
  if (reader.take(/Dates are local \([A-Za-z, -]+\)\./)) return { says: 'fixed' }
  const from = reader.take(/Distances are from (the centre of .+?), not from the building\./)
  return from && { says: 'from', centre: from[1] as string }
}

// ---------------------------------------------------------------- headlines

export function readHeadline(text: string): Headline {
  const incomplete = text.endsWith('; coverage incomplete')
  const sample = text.startsWith('Sample, made up: ')
  const clause = text.slice(sample ? 'Sample, made up: '.length : 0, incomplete ? -'; coverage incomplete'.length : undefined)
  const none = { sample, incomplete, lead: null, count: null, nothing: null, centre: null }
  const nothing = new RegExp(`^No records within ${MILES}, ${DATE} to ${DATE}$`).exec(clause) as string[] | null
  if (nothing) return { ...none, nothing: { radius: nothing[1] as string, start: nothing[2] as string, end: nothing[3] as string } }
  const suspect = /^(\d+) records? cited, (?:each )?with a caveat$/.exec(clause)
  if (suspect) return { ...none, count: Number(suspect[1]) }

  const reader = openReader(clause)
  const [, name, stated, verb] = reader.need(
    new RegExp(`([A-Z][a-z ]+?)(?: ${FIGURE})? (reported|measured|estimated by radar)(?= )`),
  ) as string[]
  const { place, centre } = readHeadlinePlace(reader)
  const [, date, count] = reader.need(new RegExp(` on ${DATE}(?: \\([^()]*\\))?; (\\d+) records?(?: in all)?$`)) as string[]
  const figure = stated === undefined ? null : { stated, details: [] }
  return {
    ...none,
    count: Number(count),
    centre,
    lead: { type: typeNamed((name as string).toLowerCase()), verb: verb as string, claim: { figure, place, date: date as string } },
  }
}

function readHeadlinePlace(reader: Reader): { place: Place; centre: string | null } {
  const upToDate = /(?= on \d{4}-\d{2}-\d{2}(?:;| \())/.source
  const area = reader.take(new RegExp(` for (.+?)${upToDate}`))
  if (area) return { place: { at: 'area', name: area[1] as string }, centre: null }
  const over = reader.take(new RegExp(` (over|at) (.+?)${upToDate}`))
  if (over?.[1] === 'over') return { place: { at: 'over', what: over[2] as string, part: null }, centre: over[2] as string }
  if (over) return { place: { at: 'miles', miles: '0.0', bearing: null, part: null }, centre: over[2] as string }
  const away = reader.take(new RegExp(` ${MILES} (?:${BEARING} of|from) (.+?)${upToDate}`))
  if (!away) return { place: { at: 'unsaid' }, centre: null }
  return { place: { at: 'miles', miles: away[1] as string, bearing: away[2] ?? null, part: null }, centre: away[3] as string }
}

// ---------------------------------------------------------------- words

/** "a", "a and b", "a, b and c" */
function listOf(text: string): string[] {
  const [, before, last] = /^(.*) and (.*?)$/.exec(text) ?? []
  return before === undefined ? [text] : [...before.split(', '), last as string]
}

const names: Record<string, string> = {
  'cold or wind chill': 'cold_wind_chill',
  'frost or freeze': 'frost_freeze',
  'other weather': 'other',
}

/** The name of a type in texts. */
export function nameOf(type: string): string {
  return Object.keys(names).find((name) => names[name] === type) ?? type.replaceAll('_', ' ')
}

/** The type that a text names: "thunderstorm wind" is thunderstorm_wind. */
export function typeNamed(text: string): string {
  return names[text] ?? text.replaceAll(' ', '_')
}
