import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Connection, readConnection } from '../../cli/settings.ts'
import { askFacts } from './ask.ts'
import { differences } from './compare.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'
import { askService, importFiles, poll } from './service.ts'
import { EDGE_RECORDS_MIN, quotas, type Summary, summarise } from './summary.ts'

/**
 * npm run test:oracle [-- --questions 200 --seed 20190324 --expect-only]
 * Reports of a running service against the raw files, read by other code. Starts a service of its own in a temporary
 * folder, unless WEATHER_URL names one, whose archive must then hold the compared years of Storm Events and no others.
 */
const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '200' },
    seed: { type: 'string', default: '20190324' },
    'expect-only': { type: 'boolean', default: false },
  },
})

if (!realRecordsPresent) {
  console.log('skipped: real records not present')
  process.exit(0)
}

const { facts, asked } = askFacts(Number(values.questions), Number(values.seed))
const summary = summarise(asked, facts)
console.table(summary)
const short = shortOf(summary)
if (short.length > 0) console.error(`too few: ${short.join(', ')}`)
const found = values['expect-only'] ? [] : await compare()
for (const difference of found) console.error(difference)
if (!values['expect-only']) console.log(`${found.length} differences in ${asked.length} reports citing ${summary.records} records`)
process.exit(found.length + short.length > 0 ? 1 : 0)

function shortOf(summary: Summary): string[] {
  const edges = summary.edge_records_in + summary.edge_records_out
  const below = Object.entries(quotas).filter(([name, least]) => summary[name as keyof Summary] < least)
  return [
    ...below.map(([name, least]) => `${name} (${least})`),
    ...(edges < EDGE_RECORDS_MIN ? [`edge records (${EDGE_RECORDS_MIN})`] : []),
  ]
}

async function compare(): Promise<string[]> {
  const service = process.env.WEATHER_URL ? { connection: readConnection(process.env, undefined), stop: () => {} } : await startService()
  try {
    for (const which of ['details', 'locations'] as const) await importFiles(service.connection, 'storm-events', stormEventFiles(which))
    const answers = await askService(
      service.connection,
      asked.map(({ question }) => question),
      poll,
    )
    return asked.flatMap(({ question, expected }, at) => differences(question, expected, answers[at] as (typeof answers)[number]))
  } finally {
    await service.stop()
  }
}

/** A first start installs nothing here, but may have to build; after this long something is wrong. */
const START_WITHIN_MS = 120_000
const LOOK_AGAIN_MS = 100

async function startService(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'weather-oracle-'))
  const env = { ...process.env, WEATHER_HOME: home, PORT: '0', DATABASE_URL: '', REDIS_URL: '' }
  const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (const until = Date.now() + START_WITHIN_MS; !existsSync(path.join(home, 'ready.json')); ) {
    if (child.exitCode !== null || Date.now() > until) throw new Error('the service did not start')
    await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS))
  }
  const ready = JSON.parse(readFileSync(path.join(home, 'ready.json'), 'utf8')) as { base_url: string; operator_key: string }
  return {
    connection: { url: ready.base_url, token: null, operator_key: ready.operator_key },
    async stop() {
      child.kill('SIGINT')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}
