import type { Row } from './csv.ts'
import { countiesCalled, countyName, distanceOutside, milesBetween, type Spot } from './geography.ts'

/** A part of a row that cannot be trusted: the rule that it breaks, and the figures that a reader should see. */
export interface Doubt {
  about:
    | 'county'
    | 'point'
    | 'second point'
    | 'path'
    | 'corner'
    | 'no corners'
    | 'time zone'
    | 'end before beginning'
    | 'duration'
    | 'hail'
    | 'wind'
    | 'weak wind'
  figures: number[]
  /** Names of counties, in order. */
  counties?: string[]
}

/** The parts of a row that the rules concern, already parsed. */
export interface ParsedRow {
  row: Row
  type: string
  fips: string | null
  begin: Spot | null
  end: Spot | null
  corners: readonly Spot[]
  hours: number | null
  inches: number | null
  mph: number | null
}

/** Twenty miles: a point farther outside its county is doubted. */
const FAR = 20

/** Returns every doubt about a row, by the published rules. */
export function doubtsOf(parsed: ParsedRow): Doubt[] {
  return [...doubtsOfPlace(parsed), ...doubtsOfTime(parsed), ...doubtsOfSize(parsed), ...doubtsOfFlood(parsed)]
}

function doubtsOfPlace({ row, type, fips, begin, end }: ParsedRow): Doubt[] {
  const county = twoCounties(row, fips)
  if (!begin) return county
  const counties = countiesOf(row, fips)
  const moved = end !== null && (end[0] !== begin[0] || end[1] !== begin[1])
  const doubts = [...county, ...outside('point', begin, counties)]
  if (!moved) return doubts
  return [...doubts, ...(type === 'tornado' ? tooLong(row, milesBetween(begin, end)) : outside('second point', end, counties))]
}

/** The number of one county with the name of another. */
function twoCounties(row: Row, fips: string | null): Doubt[] {
  const numbered = fips && countyName(fips)
  if (!fips || !numbered) return []
  const named = countiesCalled(fips.slice(0, 2), row.CZ_NAME as string)
  if (named.length === 0 || named.includes(fips)) return []
  return [{ about: 'county', figures: [], counties: [numbered, ...named.map((other) => countyName(other) as string)] }]
}

/** The longest tornado path was 219 miles. */
const LONGEST = 219

function tooLong(row: Row, drawn: number): Doubt[] {
  const stated = row.TOR_LENGTH
  if (!stated) return drawn > LONGEST ? [{ about: 'path', figures: [drawn] }] : []
  return drawn > Number(stated) * 1.5 + 3 ? [{ about: 'path', figures: [drawn, Number(stated)] }] : []
}

function outside(about: Doubt['about'], spot: Spot, counties: readonly string[]): Doubt[] {
  const miles = distanceOutside(spot, counties)
  if (miles === null || miles <= FAR) return []
  return [{ about, figures: [miles], counties: counties.map((fips) => countyName(fips) as string) }]
}

/** The county of the row's number, if a map has it, and every other county that its text names. */
function countiesOf(row: Row, fips: string | null): string[] {
  if (fips === null) return []
  const named = countiesCalled(fips.slice(0, 2), row.CZ_NAME as string).filter((other) => other !== fips)
  return countyName(fips) === null ? named : [fips, ...named]
}

/** All thunderstorm wind of 1992 says PST, wherever it is. */
export const saysPstOfWind = (row: Row) =>
  row.BEGIN_YEARMONTH?.startsWith('1992') === true && row.CZ_TIMEZONE === 'PST' && row.EVENT_TYPE === 'Thunderstorm Wind'

/** A thunderstorm lasts no longer than a day. */
const storms = /hail|thunderstorm_wind|tornado|funnel_cloud|lightning|waterspout/

function doubtsOfTime({ row, type, hours }: ParsedRow): Doubt[] {
  const zone: Doubt[] = saysPstOfWind(row) ? [{ about: 'time zone', figures: [1992] }] : []
  if (hours === null) return zone
  if (hours < 0) return [...zone, { about: 'end before beginning', figures: [] }]
  return storms.test(type) && hours > 24 ? [...zone, { about: 'duration', figures: [hours] }] : zone
}

function doubtsOfSize({ type, inches, mph }: ParsedRow): Doubt[] {
  if (inches !== null) return inches > 8 || inches < 0.2 ? [{ about: 'hail', figures: [inches] }] : []
  if (mph === null) return []
  if (type.endsWith('wind') && mph < 19) return [{ about: 'weak wind', figures: [mph] }]
  return mph > (type.endsWith('thunderstorm_wind') ? 150 : 231) ? [{ about: 'wind', figures: [mph] }] : []
}

function doubtsOfFlood({ type, fips, begin, corners }: ParsedRow): Doubt[] {
  if (!begin || (type !== 'flood' && type !== 'flash_flood')) return []
  if (corners.length === 0) return [{ about: 'no corners', figures: [] }]
  const counties = fips !== null && countyName(fips) !== null ? [fips] : []
  const worst = corners.map((corner) => outside('corner', corner, counties)[0]).filter((doubt) => doubt !== undefined)
  return worst.sort((one, other) => (other.figures[0] as number) - (one.figures[0] as number)).slice(0, 1)
}

/** How each doubt is reported: what the sentences of a record must state, and nothing else. */
const patterns: [Doubt['about'], RegExp][] = [
  [
    'county',
    /^The source gives the number of one county \((?<counties>.+), [A-Z]{2}\) and the name of another \((?<others>.+), [A-Z]{2}\): either may be meant\.$/,
  ],
  ['point', /^The point lies (?<miles>[\d.]+) mi outside the count(?:y|ies) that the source names \((?<counties>.+), [A-Z]{2}\)\.$/],
  [
    'second point',
    /^The second point lies (?<miles>[\d.]+) mi outside the count(?:y|ies) that the source names \((?<counties>.+), [A-Z]{2}\); only the first is used\.$/,
  ],
  [
    'path',
    /^The two ends of the path lie (?<miles>[\d.]+) mi apart, (?:but the source gives a length of (?<length>[\d.]+) mi|farther .+); only where it began is used\.$/,
  ],
  [
    'corner',
    /^A corner of the flooded area lies (?<miles>[\d.]+) mi outside the count(?:y|ies) that the source names \((?<counties>.+), [A-Z]{2}\); only where the flood began is used\.$/,
  ],
  ['no corners', /^The corners of the flooded area are not held; only where the flood began is used\.$/],
  [
    'time zone',
    /^The time zone is unsure: the source's file of (?<year>\d{4}) says PST for thunderstorm wind in every state\. The time is read as Central Standard Time \(UTC-6\), in which it agrees with the hail of the same storms\.$/,
  ],
  [
    'end before beginning',
    /^The source gives an end \(.+\) before the beginning \(.+\): one of the two is wrong, and the end is left out\.$/,
  ],
  [
    'duration',
    /^The source gives (?<hours>\d+) hours from beginning to end, too long for a thunderstorm: one of the two times may be wrong\.$/,
  ],
  ['hail', /^Hail of (?<inches>[\d.]+) in is .+\.$/],
  ['wind', /^A (?:thunderstorm )?wind of (?<mph>\d+) mph is stronger than any measured .+\.$/],
  ['weak wind', /^A wind of (?<mph>\d+) mph is weaker than a fresh breeze \(.+\): the figure may be mistaken\.$/],
]

/** Returns what a sentence doubts; null if it states nothing that the rules know. */
function readCaveat(sentence: string): Doubt | null {
  for (const [about, pattern] of patterns) {
    const groups = pattern.exec(sentence)?.groups
    if (!pattern.test(sentence)) continue
    const { counties, others, ...figures } = groups ?? {}
    const read: Doubt = {
      about,
      figures: Object.values(figures)
        .filter((figure) => figure !== undefined)
        .map(Number),
    }
    return counties === undefined
      ? read
      : { ...read, counties: [counties, ...(others ? [others] : [])].flatMap((names) => names.split(/, | and /)) }
  }
  return null
}

/** Half of the last digit shown. */
const ROUNDING = 0.5 + 1e-9

/** Whether a sentence reports a doubt, with its figures and its counties. */
export function expresses(sentence: string, doubt: Doubt): boolean {
  const read = readCaveat(sentence)
  return (
    read !== null &&
    read.about === doubt.about &&
    read.figures.length === doubt.figures.length &&
    read.figures.every((figure, at) => Math.abs(figure - (doubt.figures[at] as number)) <= ROUNDING) &&
    (read.counties ?? []).join('|') === (doubt.counties ?? []).flatMap((name) => name.split(/, | and /)).join('|')
  )
}
