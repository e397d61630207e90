import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BenchResult } from './frame.ts'
import { type Kept, markdown } from './table.ts'

const JSON_FILE = path.join(import.meta.dirname, 'results.json')
const TABLE_FILE = path.join(import.meta.dirname, 'results.md')

/**
 * Writes what was measured beside the benches, as JSON and as the table that is committed. A result takes the place of an
 * older one of the same claim and size; the others stay, each with the day and the machine it was measured on.
 * @param known names of the claims that there are: results of others go
 */
export function writeResults(measured: readonly Kept[], known: readonly string[]): void {
  const results = [...readResults().filter((older) => !measured.some((newer) => isSame(older, newer))), ...measured]
    .filter(({ name }) => known.includes(name))
    .sort((a, b) => known.indexOf(a.name) - known.indexOf(b.name) || b.run.localeCompare(a.run))
  writeFileSync(JSON_FILE, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(TABLE_FILE, markdown(results, known))
}

function readResults(): Kept[] {
  return existsSync(JSON_FILE) ? JSON.parse(readFileSync(JSON_FILE, 'utf8')) : []
}

const isSame = (one: BenchResult, other: BenchResult) => one.name === other.name && one.run === other.run
