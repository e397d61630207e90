import { parseArgs } from 'node:util'
import { type Bench, type BenchResult, measure, type Size } from './frame.ts'
import { benches, settingOf, writeResults } from './results.ts'
import { openServer } from './server.ts'
import { type Kept, printResult, printSummary } from './table.ts'

/**
 * npm run bench [name ...] [-- --size small|full] [--write]
 * Measures every claim of this folder, or those named; --write stores the results in results.md and results.json
 * here. The exit status is 1 if a ratio to a peer is missed or a claim could not be measured, else 0.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'small' }, write: { type: 'boolean', default: false } },
})

const unknown = positionals.filter((name) => !benches.includes(name))
if (unknown.length > 0 || (values.size !== 'small' && values.size !== 'full')) {
  console.error(`usage: bench [name ...] [--size small|full] [--write]\nnames: ${benches.join(', ')}`)
  process.exit(2)
}

const size: Size = values.size
const server = await openServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close().finally(() => process.exit(130)))
const setting = settingOf(server.label)
console.log(`Node ${setting.node}, ${setting.server}, ${setting.cores} cores, size ${size}`)

const results: Kept[] = []
try {
  for (const name of positionals.length > 0 ? positionals : benches) {
    const result = { ...(await measured(name)), setting }
    console.log(printResult(result, process.stdout.isTTY))
    results.push(result)
    if (values.write) writeResults([result])
  }
} finally {
  await server.close()
}

console.log(printSummary(results))
const fell = results.some(({ fault, reach }) => fault || reach.some(({ outcome }) => outcome === 'missed'))
process.exit(fell ? 1 : 0)

/** A claim that cannot be measured does not stop the others. */
async function measured(name: string): Promise<BenchResult> {
  try {
    return await measure(name, (await import(`./${name}.bench.ts`)) as Bench, size, server)
  } catch (error) {
    const [fault = 'unknown'] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { name, claim: name, unit: 'ms', run: size, fault, sizes: [], growth: {}, reach: [] }
  }
}
