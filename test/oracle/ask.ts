import { readCsv } from './csv.ts'
import { expectedOf } from './expected.ts'
import { type Fact, factsOf } from './facts.ts'
import { stormEventFiles, years } from './files.ts'
import { askQuestions } from './questions.ts'
import type { Asked } from './summary.ts'

/** The day of large hail around Dallas, which every install shows first. */
const FRISCO = { place: [-96.82361, 33.15067], start: '2019-03-24', end: '2019-03-24', radius_miles: 10 } as const

/** The facts of the years, and the questions of a seed with what the facts say to each. */
export function askFacts(count: number, seed: number, of: readonly string[] = years): { facts: Fact[]; asked: Asked[] } {
  const facts = factsOf(stormEventFiles('details', of).flatMap(readCsv), stormEventFiles('locations', of).flatMap(readCsv))
  const questions = [FRISCO, ...askQuestions(facts, count, seed)]
  return { facts, asked: questions.map((question) => ({ question, expected: expectedOf(question, facts) })) }
}
