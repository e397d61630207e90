import { readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, type BenchResult, measure, type Size } from './frame.ts'
import { openServer } from './server.ts'
import { markdown, printResult, type Setting } from './table.ts'

/**
 * npm run bench [name ...] [-- --size small|full] [--json file] [--table file]
 * Every claim of this folder, or those named. The exit status is 1 where a ratio to a peer is missed, else 0.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'small' }, json: { type: 'string' }, table: { type: 'string' } },
})

const SUFFIX = '.bench.ts'
const folder = import.meta.dirname
const known = readdirSync(folder)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort()
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0 || (values.size !== 'small' && values.size !== 'full')) {
  console.error(`usage: bench [name ...] [--size small|full] [--json file] [--table file]\nnames: ${known.join(', ')}`)
  process.exit(2)
}

const size: Size = values.size
const server = await openServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close().finally(() => process.exit(130)))
const setting: Setting = {
  at: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  server: server.label,
  cpu: os.cpus()[0]?.model ?? 'unknown',
  cores: os.cpus().length,
  memory_gb: Math.round(os.totalmem() / 2 ** 30),
  size,
}
console.log(`Node ${setting.node}, ${setting.server}, ${setting.cores} cores, size ${size}`)

const results: BenchResult[] = []
try {
  for (const name of positionals.length > 0 ? positionals : known) {
    const bench = (await import(path.join(folder, name + SUFFIX))) as Bench
    const result = await measure(name, bench, size, server)
    console.log(printResult(result, process.stdout.isTTY))
    results.push(result)
  }
} finally {
  await server.close()
}

if (values.json) writeFileSync(values.json, `${JSON.stringify({ setting, results }, null, 2)}\n`)
if (values.table) writeFileSync(values.table, markdown(setting, results))
const missed = results.flatMap((result) => result.reach.filter((reach) => reach.outcome === 'missed'))
process.exit(missed.length > 0 ? 1 : 0)
