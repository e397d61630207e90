import { readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, type BenchResult, measure, type Size } from './frame.ts'
import { writeResults } from './results.ts'
import { openServer } from './server.ts'
import { type Kept, printResult, printSummary, type Setting } from './table.ts'

/**
 * npm run bench [name ...] [-- --size small|full] [--write]
 * Every claim of this folder, or those named; --write keeps what was measured in results.md and results.json here.
 * The exit status is 1 where a ratio to a peer is missed or a claim could not be measured, else 0.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'small' }, write: { type: 'boolean', default: false } },
})

const SUFFIX = '.bench.ts'
const folder = import.meta.dirname
const known = readdirSync(folder)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort()
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0 || (values.size !== 'small' && values.size !== 'full')) {
  console.error(`usage: bench [name ...] [--size small|full] [--write]\nnames: ${known.join(', ')}`)
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
}
console.log(`Node ${setting.node}, ${setting.server}, ${setting.cores} cores, size ${size}`)

const results: Kept[] = []
try {
  for (const name of positionals.length > 0 ? positionals : known) {
    const result = { ...(await measured(name)), setting }
    console.log(printResult(result, process.stdout.isTTY))
    results.push(result)
    if (values.write) writeResults([result], known)
  }
} finally {
  await server.close()
}

console.log(printSummary(results))
const fell = results.some(({ fault, reach }) => fault || reach.some(({ outcome }) => outcome === 'missed'))
process.exit(fell ? 1 : 0)

/** One claim that cannot be measured does not keep the others from it. */
async function measured(name: string): Promise<BenchResult> {
  try {
    return await measure(name, (await import(path.join(folder, name + SUFFIX))) as Bench, size, server)
  } catch (error) {
    const [fault = 'unknown'] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { name, claim: name, unit: 'ms', run: size, fault, sizes: [], growth: {}, reach: [] }
  }
}
