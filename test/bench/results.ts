import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { BenchResult } from './frame.ts'
import { type Kept, markdown, type Setting } from './table.ts'

const JSON_FILE = path.join(import.meta.dirname, 'results.json')
const TABLE_FILE = path.join(import.meta.dirname, 'results.md')
const BENCH = '.bench.ts'

/** The claims that `npm run bench` measures, one file each. */
export const benches = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(BENCH))
  .map((file) => file.slice(0, -BENCH.length))
  .sort()

/** The claims that `npm run simulate` measures. */
export const SIMULATED = { records: 'simulate', observations: 'simulate-observations' } as const

/** The machine of this process, today. */
export function settingOf(server: string): Setting {
  return {
    at: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    server,
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    memory_gb: Math.round(os.totalmem() / 2 ** 30),
  }
}

/**
 * Writes the results next to the benches, as JSON and as the committed table. A result replaces an older one of the
 * same claim and size; the others stay, each with its date and machine. Results of claims that no longer exist are
 * removed.
 */
export function writeResults(measured: readonly Kept[]): void {
  const known = [...benches, ...Object.values(SIMULATED)]
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
