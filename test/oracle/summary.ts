import type { ExpectedCoverage } from './coverage.ts'
import type { Expected, Question } from './expected.ts'
import { nearnessOf } from './expected.ts'
import type { Fact } from './facts.ts'
import { EDGE_MILES } from './questions.ts'

export interface OracleRequest {
  question: Question
  expected: Expected
  coverage: ExpectedCoverage
}

/** How many questions test what: a comparison without floods proves nothing about floods. */
export interface Summary {
  questions: number
  with_records: number
  hail: number
  wind: number
  tornado: number
  flood: number
  county: number
  zone: number
  /** Reports of a state with a zone record in the window that could not be located, and authoritative ones. */
  unplaced: number
  authoritative: number
  /** Reports that search warnings, or stations, of their own days and state. */
  warned: number
  observed: number
  /** A cited record with a doubt besides the time zone of 1992. */
  doubted: number
  /** A cited tornado or flood of which only the beginning is used. */
  begin_point: number
  unsure_hour: number
  /** A window that begins or ends on the date of a record that it cites, or would cite with one day more. */
  edge_on_storm_date: number
  /** A cited record's local date differs from the date under which the source files it. */
  moved_date: number
  /** Records within 0.01 mi of the circle, inside it and outside. */
  edge_records_in: number
  edge_records_out: number
  records: number
}

/** The minimum for a full comparison. */
export const quotas: Partial<Summary> = {
  questions: 200,
  with_records: 150,
  hail: 30,
  wind: 30,
  tornado: 30,
  flood: 30,
  county: 30,
  zone: 30,
  unplaced: 30,
  authoritative: 30,
  warned: 10,
  observed: 30,
  doubted: 25,
  begin_point: 10,
  unsure_hour: 10,
  edge_on_storm_date: 30,
}
export const EDGE_RECORDS_MIN = 20

export function summarise(requests: readonly OracleRequest[], facts: readonly Fact[]): Summary {
  const having = (test: (fact: Fact) => boolean) =>
    requests.filter(({ expected }) => [...expected.cited.values()].some(({ fact }) => test(fact))).length
  const edges = requests.flatMap(({ question }) => edgeRecords(question, facts))
  return {
    questions: requests.length,
    with_records: having(() => true),
    hail: having(({ type }) => type === 'hail' || type === 'marine_hail'),
    wind: having(({ type }) => type.endsWith('thunderstorm_wind')),
    tornado: having(({ type }) => type === 'tornado'),
    flood: having(({ type }) => type === 'flood' || type === 'flash_flood'),
    county: having(({ location }) => location.as === 'county'),
    zone: having(({ location }) => location.as === 'zone'),
    unplaced: requests.filter(({ coverage }) => coverage.unplaced.size > 0).length,
    authoritative: requests.filter(({ coverage }) => coverage.complete && !coverage.provisional && coverage.unplaced.size === 0).length,
    warned: requests.filter(({ coverage }) => coverage.sources_searched.includes('nws_warnings')).length,
    observed: requests.filter(({ coverage }) => coverage.sources_searched.includes('asos')).length,
    doubted: having(({ doubts }) => doubts.some(({ about }) => about !== 'time zone')),
    begin_point: having(({ doubts }) => doubts.some(({ about }) => ['path', 'corner', 'no corners'].includes(about))),
    unsure_hour: having(({ doubts }) => doubts.some(({ about }) => about === 'time zone')),
    edge_on_storm_date: requests.filter(({ question, expected }) =>
      [...expected.cited.values()].some(({ fact }) => fact.occurred_on === question.start || fact.occurred_on === question.end),
    ).length,
    moved_date: having((fact) => fact.occurred_on !== fact.filed_on),
    edge_records_in: edges.filter((inside) => inside).length,
    edge_records_out: edges.filter((inside) => !inside).length,
    records: requests.reduce((sum, { expected }) => sum + expected.cited.size, 0),
  }
}

/** True for each record of the window just inside the circle, false for each just outside. */
function edgeRecords({ place, radius_miles, start, end }: Question, facts: readonly Fact[]): boolean[] {
  return facts.flatMap((fact) => {
    if (fact.location.as !== 'point' || fact.occurred_on < start || fact.occurred_on > end) return []
    const beyond = nearnessOf(fact, place).miles - radius_miles
    return Math.abs(beyond) < EDGE_MILES ? [beyond <= 0] : []
  })
}
