import { type ContextFiles, contextFiles } from './context.ts'
import { coverageExpected, holdingsOf } from './coverage.ts'
import { readCsv } from './csv.ts'
import { expectedOf } from './expected.ts'
import { type Fact, factsOf } from './facts.ts'
import { stormEventFiles, years } from './files.ts'
import { askQuestions } from './questions.ts'
import type { OracleRequest } from './summary.ts'
import { type ZoneTable, zoneTable } from './zone-table.ts'

/** The day of large hail around Dallas, which every install shows first. */
const FRISCO = { place: [-96.82361, 33.15067], start: '2019-03-24', end: '2019-03-24', radius_miles: 10 } as const

export interface OracleData {
  facts: Fact[]
  zones: ZoneTable
  context: ContextFiles
  requests: OracleRequest[]
}

/**
 * Returns the facts of the years, a table of their forecast zones, warnings and observations, and the questions of
 * a seed with the answers that follow from the files.
 */
export function askFacts(count: number, seed: number, of: readonly string[] = years): OracleData {
  const details = stormEventFiles('details', of).flatMap(readCsv)
  const facts = factsOf(details, stormEventFiles('locations', of).flatMap(readCsv))
  const zones = zoneTable(details)
  const questions = [FRISCO, ...askQuestions(facts, zones, count, seed)]
  const context = contextFiles(questions, seed)
  const holdings = holdingsOf(facts, zones, context)
  const requests = questions.map((question) => {
    const expected = expectedOf(question, facts, zones)
    return { question, expected, coverage: coverageExpected(question, expected, holdings) }
  })
  return { facts, zones, context, requests }
}
