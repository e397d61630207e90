import { parseArgs } from 'node:util'
import { readConnection } from '../../cli/settings.ts'
import { differences } from './compare.ts'
import { coverageDifferences } from './coverage.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'
import { askFacts } from './oracle-data.ts'
import { startService } from './own-service.ts'
import { readRandomPlaces, summariseTexts } from './sentences/random-places.ts'
import { askService, importContext, importFiles, importZones, poll } from './service.ts'
import { EDGE_RECORDS_MIN, quotas, type Summary, summarise } from './summary.ts'
import { askWarnings, countAnswers, readNotices, warningTexts } from './warning-questions.ts'
import { waitUntilStable, warningDifferences, warningsAt } from './warning-service.ts'

/**
 * npm run test:oracle [-- --questions 200 --places 500 --seed 20190324 --expect-only]
 * Compares reports and warnings of a running service with the raw files, which independent code reads. Starts a
 * service of its own in a temporary folder, unless WEATHER_URL names one, whose archive must then contain the
 * compared years of Storm Events and no others. Then checks the sentences of reports on random places of all years,
 * with a service of its own: see `sentences/`.
 */
const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '200' },
    places: { type: 'string', default: '500' },
    seed: { type: 'string', default: '20190324' },
    'expect-only': { type: 'boolean', default: false },
  },
})

/** Places for each segment of a warning's text. */
const PLACES_EACH = 10

/** Lines shown of faults in texts: one wrong template affects hundreds of reports. */
const SHOWN_FAULTS = 50

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (!realRecordsPresent) {
  console.log('skipped: real records not present')
  process.exit(0)
}

const { facts, zones, context, requests } = askFacts(Number(values.questions), Number(values.seed))
const summary = summarise(requests, facts)
console.table(summary)
const short = shortOf(summary)
if (short.length > 0) console.error(`too few: ${short.join(', ')}`)
const notices = readNotices()
const warned = askWarnings(notices, PLACES_EACH, Number(values.seed))
const moments = warned.reduce((sum, question) => sum + question.moments.length, 0)
console.log(`${warned.length} places asked for warnings at ${moments} moments, of which ${countAnswers(warned, notices)} were under one`)
const [found, unwarned] = values['expect-only'] ? [[], []] : await compare()
for (const difference of [...found, ...unwarned]) console.error(difference)
if (!values['expect-only']) {
  console.log(`${found.length} differences in ${requests.length} reports citing ${summary.records} records`)
  console.log(`${unwarned.length} differences in the warnings of ${warned.length} places at ${moments} moments`)
}
const untrue = values['expect-only'] ? [] : await readSentences()
process.exit(found.length + unwarned.length + short.length + untrue.length > 0 ? 1 : 0)

function shortOf(summary: Summary): string[] {
  const edges = summary.edge_records_in + summary.edge_records_out
  const below = Object.entries(quotas).filter(([name, least]) => summary[name as keyof Summary] < least)
  return [
    ...below.map(([name, least]) => `${name} (${least})`),
    ...(edges < EDGE_RECORDS_MIN ? [`edge records (${EDGE_RECORDS_MIN})`] : []),
  ]
}

async function readSentences(): Promise<string[]> {
  const read = await readRandomPlaces(Number(values.places), Number(values.seed))
  const faults = read.flatMap((one) => one.faults)
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.error(fault)
  console.table(summariseTexts(read))
  console.log(`${faults.length} faults in the texts of ${read.length} reports`)
  return faults
}

async function compare(): Promise<[records: string[], warnings: string[]]> {
  const service = process.env.WEATHER_URL
    ? { connection: readConnection(process.env, undefined), stop: async () => {} }
    : await startService()
  try {
    for (const which of ['details', 'locations'] as const) await importFiles(service.connection, 'storm-events', stormEventFiles(which))
    await importZones(service.connection, zones)
    await importContext(service.connection, context)
    const answers = await askService(
      service.connection,
      requests.map(({ question }) => question),
      poll,
    )
    const places = warned.map(({ place }) => place)
    const live = await warningsAt(service.connection, places, warningTexts(), waitUntilStable)
    return [
      requests.flatMap(({ question, expected, coverage }, at) => {
        const answer = answers[at] as (typeof answers)[number]
        return [...differences(question, expected, answer), ...coverageDifferences(question, coverage, answer)]
      }),
      warningDifferences(warned, notices, live),
    ]
  } finally {
    await service.stop()
  }
}
