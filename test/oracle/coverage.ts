import type { ContextFiles } from './context.ts'
import type { Expected, Question } from './expected.ts'
import type { Fact } from './facts.ts'
import { countiesWithin, countyName, stateHolding, stateOfCounty } from './geography.ts'
import type { LiveAnswer } from './service.ts'
import type { ZoneTable } from './zone-table.ts'

/** What a report must state about the data held and searched, computed from the files. */
export interface ExpectedCoverage {
  complete: boolean
  provisional: boolean
  /** Whether the file of the window's last months was compiled before every office must have reported. */
  early: boolean
  sources_searched: string[]
  /** By state: the types of the window's zone rows that no table can locate, with their numbers. */
  unplaced: Map<string, Map<string, number>>
  /** States of which the table names any zone. */
  tabled: ReadonlySet<string>
}

/** The data held when the questions were asked. */
export interface Holdings {
  /** Months of Storm Events, YYYY-MM. */
  months: ReadonlySet<string>
  /** Rows that no table can locate. */
  unplaced: readonly Fact[]
  /** States of which the table of zones names any. */
  tabled: ReadonlySet<string>
  context: ContextFiles
}

export function holdingsOf(facts: readonly Fact[], zones: ZoneTable, context: ContextFiles): Holdings {
  return {
    months: monthsCovered(facts),
    unplaced: facts.filter(({ location }) =>
      location.as === 'zone' ? !zones.has(location.zone ?? '') : location.as === 'county' && countyName(location.fips) === null,
    ),
    tabled: new Set([...zones.keys()].map((zone) => zone.slice(0, 2))),
    context,
  }
}

/** Files of whole years were compiled long after them; the file of 2019 ends with its last row, and so do the final data. */
export function coverageExpected(question: Question, { cited }: Expected, holdings: Holdings): ExpectedCoverage {
  const { place, radius_miles, start, end } = question
  const months = monthsIn(start, end)
  const horizon = [...holdings.months].sort().at(-1) as string
  const states = new Set([...countiesWithin(place, radius_miles)].flatMap((fips) => stateOfCounty(fips) ?? []))
  const sources = [
    ...(cited.size > 0 || months.some((month) => holdings.months.has(month)) ? ['noaa_storm_events'] : []),
    ...holdings.context.searched(question, stateHolding(place)),
  ]
  return {
    complete: months.every((month) => holdings.months.has(month)),
    provisional: end.slice(0, 7) > horizon,
    early: COMPILED_EARLY.some((month) => months.includes(month) && holdings.months.has(month)),
    sources_searched: sources.sort(),
    unplaced: unplacedIn(question, holdings.unplaced, states),
    tabled: holdings.tabled,
  }
}

/** These months ended less than 120 days before 17 June 2019, when the file of that year was compiled. */
const COMPILED_EARLY = ['2019-02', '2019-03']

/** January to the last month in which a year has a row. */
function monthsCovered(facts: readonly Fact[]): Set<string> {
  const filed = [...new Set(facts.map(({ filed_on }) => filed_on.slice(0, 7)))].sort()
  return new Set(filed.flatMap((month) => monthsIn(`${month.slice(0, 4)}-01-01`, `${month}-01`)))
}

function monthsIn(start: string, end: string): string[] {
  const months: string[] = []
  for (let month = start.slice(0, 7); month <= end.slice(0, 7); ) {
    months.push(month)
    const [year, number] = month.split('-').map(Number) as [number, number]
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  }
  return months
}

function unplacedIn({ start, end }: Question, facts: readonly Fact[], states: ReadonlySet<string>) {
  const unplaced = new Map<string, Map<string, number>>()
  for (const { state, type, occurred_on } of facts) {
    if (state === null || !states.has(state) || occurred_on < start || occurred_on > end) continue
    const types = unplaced.get(state) ?? new Map<string, number>()
    unplaced.set(state, types.set(type, (types.get(type) ?? 0) + 1))
  }
  return unplaced
}

/** Returns every way in which a report misstates what was searched; empty if there is none. */
export function coverageDifferences(question: Question, expected: ExpectedCoverage, { report, verification }: LiveAnswer): string[] {
  const { coverage, headline, nothing_found, event_count } = report
  const { complete, provisional, unplaced } = expected
  const clauses = [...unplaced].sort().map(([state, types]) => clauseOf(state, types, expected.tabled.has(state)))
  const records = [...unplaced.values()].flatMap((types) => [...types.values()]).reduce((sum, count) => sum + count, 0)
  const authoritative = complete && !provisional && records === 0
  const found = [
    ...unless(coverage.complete === complete, `complete is ${coverage.complete}`),
    ...unless(coverage.provisional === provisional, `provisional is ${coverage.provisional}`),
    ...unless(
      coverage.sources_searched.join() === expected.sources_searched.join(),
      `${coverage.sources_searched.join()} are searched, not ${expected.sources_searched.join()}`,
    ),
    ...unless(coverage.unplaced_zone_records === records, `${coverage.unplaced_zone_records} zone records are unplaced, not ${records}`),
    ...clauses
      .filter((clause) => !clause.test(coverage.summary))
      .map((clause) => `the summary does not say ${clause}: ${coverage.summary}`),
    ...[coverage.summary, nothing_found ?? '']
      .filter((text) => text !== '')
      .flatMap((text) => limitsDifferences(text, question, coverage.sources_searched.includes('noaa_storm_events'))),
    ...unless(
      coverage.summary.includes(' may lack whole offices: they were compiled on 2019-06-17, ') === expected.early,
      `what was compiled early is said wrongly: ${coverage.summary}`,
    ),
    ...unless(records > 0 || !coverage.summary.includes('could not be placed: '), `the summary speaks of records: ${coverage.summary}`),
    ...unless(verification.authoritative === authoritative, `authoritative is ${verification.authoritative}`),
    ...unless(headline.endsWith('; coverage incomplete') === (!complete || records > 0), `the headline says ${headline}`),
    ...unless(
      event_count > 0 || records === 0 || (clauses[0] as RegExp).exec(nothing_found ?? '')?.index === 0,
      `what is missing does not come first: ${nothing_found}`,
    ),
  ]
  const { place, radius_miles, start, end } = question
  return found.map((difference) => `${place[1]}, ${place[0]}, ${radius_miles} mi, ${start} to ${end}: ${difference}`)
}

/** The database has tornadoes alone until 1954, and thunderstorm wind and hail besides until 1995. Of two months it has nothing. */
function limitsDifferences(text: string, { start, end }: Question, searched: boolean): string[] {
  const isSaid = (clause: string) => new RegExp(`\\b${clause}`, 'i').test(text)
  const tornadoes = isSaid('before 1955 the only records in the NOAA Storm Events Database are of tornado\\b(?!,)')
  const storms = isSaid('before 1996 the only records in the NOAA Storm Events Database are of tornado, thunderstorm wind and hail')
  const lost = isSaid('the NOAA Storm Events Database has nothing filed under 1993-06 to 1993-07, of any state')
  return [
    ...unless(tornadoes === (searched && start < '1955'), `what was listed before 1955 is said wrongly: ${text}`),
    ...unless(storms === (searched && start < '1996' && end >= '1955'), `what was listed before 1996 is said wrongly: ${text}`),
    ...unless(lost === (searched && start < '1993-08' && end >= '1993-06'), `what the database lost is said wrongly: ${text}`),
  ]
}

/** Types whose name in texts differs from their own words. */
const named: Record<string, string> = { cold_wind_chill: 'cold or wind chill', frost_freeze: 'frost or freeze', other: 'other weather' }
const NAMED_MAX = 6

function clauseOf(state: string, types: ReadonlyMap<string, number>, tabled: boolean): RegExp {
  const records = [...types.values()].reduce((sum, count) => sum + count, 0)
  const names = [...types]
    .sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
    .map(([type]) => named[type] ?? type.replaceAll('_', ' '))
  const more = names.length > NAMED_MAX ? `, ${names.length - NAMED_MAX} more types?` : ''
  const why = tabled ? 'the zone table held does not name their zones' : 'no zone table is held'
  const noun = records === 1 ? 'forecast-zone record' : 'forecast-zone records'
  return new RegExp(
    `\\b${records} ${noun} of ${stateNames[state]} in this window \\(${names.slice(0, NAMED_MAX).join(', ')}${more}\\) could not be placed: ${why}`,
  )
}

const stateNames: Record<string, string> = Object.fromEntries(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,' +
    'GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,' +
    'MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,' +
    'NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,' +
    'RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,' +
    'WV West Virginia,WI Wisconsin,WY Wyoming,PR Puerto Rico,VI Virgin Islands'
  )
    .split(',')
    .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
)

const unless = (holds: boolean, difference: string) => (holds ? [] : [difference])
