import { parseArgs } from 'node:util'
import { readConnection } from '../../cli/settings.ts'
import { askFacts } from './ask.ts'
import { differences } from './compare.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'
import { startService } from './own-service.ts'
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

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

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
  const service = process.env.WEATHER_URL
    ? { connection: readConnection(process.env, undefined), stop: async () => {} }
    : await startService()
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
