import os from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import { findNear, searchArchive } from '#domain/archive/search/search.ts'
import { configFor } from '#domain/kernel/config.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { placeAt } from './place-at.ts'
import { type Random, seededRandom } from './random.ts'
import { openServer } from './server.ts'
import { bytesHeld, growTo, type Learned, learn } from './simulation/archive.ts'
import { at, curveThrough, type Point, sizeWhere } from './simulation/curve.ts'
import { addProperties, addTeams, busiestDays, workThrough } from './simulation/teams.ts'
import { stormCentres, stormFile, streamOf } from './storm-files.ts'

/**
 * `npm run simulate`: an archive, teams and watched properties, grown step by step from the shape of the real year files on a
 * PostgreSQL of its own, as far as the disk is allowed to go. Each step says what a search, an import and a storm day take; a power
 * law through the steps says what they would take at 100 million records and 2 million properties. Nothing of it stays.
 * `--records`, `--properties` and `--teams` are the largest step, at which `--days` storm days are worked through, for `--minutes` at
 * most; `--gigabytes` bounds the archive on disk; `--json` prints the figures alone.
 */
const { values: flags } = parseArgs({
  options: {
    records: { type: 'string', default: '20000000' },
    properties: { type: 'string', default: '2000000' },
    teams: { type: 'string', default: '10000' },
    days: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '20' },
    gigabytes: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})

/** What the model is asked for. */
const AIM = { records: 100_000_000, properties: 2_000_000 }
/** Each step is about this many times the one before. */
const STEP = 3
/** The smallest step of the archive and of the properties. */
const SMALLEST = 1 / 10
const SEARCHES = 200
/** Searches before those that count: statements are prepared, and the first page of the index is read. */
const WARM = 20
/** Rows of the file that is imported at each step. */
const IMPORTED = 5_000
/** Storm days that are worked through before the largest step, to see how it grows. */
const DAYS_A_STEP = 3
const GIGABYTE = 2 ** 30

interface Step {
  records: number
  bytes_a_record: number
  search_index_bytes_a_record: number
  /** Milliseconds, p50 and p95: what lies within 25 miles in 5 years found by the index, and the same with all that a report reads. */
  found_25_5: [number, number]
  search_25_5: [number, number]
  /** And found within 100 miles in 10 years. */
  found_100_10: [number, number]
  import_rows_a_second: number
}

interface StormStep {
  properties: number
  days: number
  /** Of a day: median and slowest seconds, and exposures written a second over all of them. */
  seconds: [number, number]
  exposures: number
  exposures_a_second: number
}

async function main(): Promise<void> {
  const server = await openServer()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close().finally(() => process.exit(130)))
  const { url, pool, drop } = await server.database()
  const home = await server.folder()
  const app = await openApp(configFor({ database_url: url, home, blobs: path.join(home, 'blobs'), log_level: 'silent' }), {
    printer: blankPrinter,
  })
  try {
    say(`${os.cpus().length} cores, Node ${process.versions.node}, ${server.label}, load ${os.loadavg()[0]?.toFixed(1)}`)
    const learned = await learn(app)
    say(`learned from ${learned.records} records (${learned.from})`)
    const random = seededRandom()
    const steps = await archiveSteps(app, pool, learned, random)
    const storms = await stormSteps(app, pool)
    if (flags.json) console.log(JSON.stringify({ steps, storms }))
    else printModel(steps, storms)
  } finally {
    await closeApp(app)
    await drop().catch(() => pool.end())
    await server.close()
  }
}

async function archiveSteps(app: App, pool: pg.Pool, learned: Learned, random: Random): Promise<Step[]> {
  const steps: Step[] = []
  say(
    'records  GB  bytes each  of them search index  25 mi/5 y found p50, p95 ms  read p50, p95  100 mi/10 y found p50, p95  import rows/s',
  )
  for (const records of sizesUpTo(Number(flags.records))) {
    const last = steps.at(-1)
    if (last && records * last.bytes_a_record > Number(flags.gigabytes) * GIGABYTE) {
      say(`${records} records would take more than ${flags.gigabytes} GB: the model goes on from here`)
      break
    }
    await growTo(pool, records, learned, random)
    const step = await measureArchive(app, random)
    steps.push(step)
    say(
      [
        step.records,
        ((step.records * step.bytes_a_record) / GIGABYTE).toFixed(1),
        step.bytes_a_record.toFixed(0),
        step.search_index_bytes_a_record.toFixed(0),
        ...[...step.found_25_5, ...step.search_25_5, ...step.found_100_10].map((ms) => ms.toFixed(1)),
        step.import_rows_a_second.toFixed(0),
      ].join('  '),
    )
  }
  return steps
}

/** From a tenth of the largest, or less where it is small, in steps of about three. */
function sizesUpTo(largest: number): number[] {
  const sizes: number[] = []
  for (let size = largest; size >= largest * SMALLEST * 0.99; size /= STEP) sizes.unshift(Math.round(size))
  return sizes
}

async function measureArchive(app: App, random: Random): Promise<Step> {
  const { records, bytes, index_bytes } = await bytesHeld(app.pool)
  return {
    records,
    bytes_a_record: bytes / records,
    search_index_bytes_a_record: index_bytes / records,
    found_25_5: await timeSearches(app, 25, 5, find),
    search_25_5: await timeSearches(app, 25, 5, searchArchive),
    found_100_10: await timeSearches(app, 100, 10, find),
    import_rows_a_second: await timeImport(app, random),
  }
}

type Search = (app: App, place: LocatedPlace, window: SearchWindow) => Promise<unknown>

const find: Search = ({ pool }, place, window) => findNear(pool, place, window, [])

/** p50 and p95 in milliseconds of searches around places where storms were recorded; each place and window is asked for once. */
async function timeSearches(app: App, radius_miles: number, years: number, search: Search): Promise<[number, number]> {
  const { rows } = await app.pool.query<{ latitude: number; longitude: number; from: number }>(
    `SELECT latitude, longitude, 1950 + (abs(hashtext(source_key)) % (75 - $1::int)) AS from FROM learned_records
      WHERE latitude BETWEEN 25 AND 49 ORDER BY hashtext(source_key) LIMIT $2`,
    [years, SEARCHES + WARM],
  )
  const times: number[] = []
  for (const { latitude, longitude, from } of rows) {
    const began = performance.now()
    await search(app, placeAt([latitude, longitude]), { start: `${from}-01-01`, end: `${from + years - 1}-12-31`, radius_miles })
    times.push(performance.now() - began)
  }
  times.splice(0, WARM)
  return [percentile(times, 0.5), percentile(times, 0.95)]
}

/** Of the made-up files: each import is of a year of its own. */
const FIRST_IMPORTED = 1999
let imported = 0

async function timeImport(app: App, random: Random): Promise<number> {
  imported += 1
  const file = stormFile(FIRST_IMPORTED + imported, IMPORTED, stormCentres(random), random)
  const began = performance.now()
  await ingest(app, 'storm-events', streamOf(file), { file_name: file.file_name })
  return IMPORTED / ((performance.now() - began) / 1000)
}

async function stormSteps(app: App, pool: pg.Pool): Promise<StormStep[]> {
  const steps: StormStep[] = []
  say('properties  days  median s a day  slowest  exposures  exposures/s')
  await addTeams(pool, Number(flags.teams))
  const sizes = sizesUpTo(Number(flags.properties))
  for (const properties of sizes) {
    await addProperties(pool, properties)
    const largest = properties === sizes.at(-1)
    const days = await busiestDays(pool, largest ? Number(flags.days) : DAYS_A_STEP)
    const done = []
    const until = performance.now() + Number(flags.minutes) * 60_000
    for (const day of days) if (performance.now() < until) done.push(await workThrough(app, day))
    const seconds = done.map((one) => one.seconds)
    const exposures = done.reduce((sum, { written }) => sum + written, 0)
    const spent = seconds.reduce((sum, one) => sum + one, 0)
    steps.push({
      properties,
      days: done.length,
      seconds: [percentile(seconds, 0.5), Math.max(...seconds)],
      exposures,
      exposures_a_second: exposures / spent,
    })
    say(
      `${properties}  ${done.length}  ${percentile(seconds, 0.5).toFixed(1)}  ${Math.max(...seconds).toFixed(1)}  ${exposures}  ${(exposures / spent).toFixed(0)}`,
    )
    await pool.query('TRUNCATE exposures CASCADE')
  }
  return steps
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Where the next limit is, by the curves through what was measured. */
function printModel(steps: Step[], storms: StormStep[]): void {
  const largest = steps.at(-1)
  if (!largest || steps.length < 2) {
    say('too few steps for a model: give a larger --records or --gigabytes')
    return
  }
  const curve = (value: (step: Step) => number) => curveThrough(steps.map((step): Point => ({ size: step.records, value: value(step) })))
  const grown = (what: string, value: (step: Step) => number, unit: string) => {
    const { factor, exponent } = curve(value)
    const there = `${at({ factor, exponent }, AIM.records).toFixed(1)} at ${AIM.records} (exponent ${exponent.toFixed(2)})`
    say(`  ${what}: ${value(largest).toFixed(1)} ${unit} at ${largest.records}, ${there}`)
  }
  say(`\nBy a power law through ${steps.length} steps:`)
  grown('found within 25 mi in 5 y, p50', ({ found_25_5 }) => found_25_5[0], 'ms')
  grown('found within 25 mi in 5 y, p95', ({ found_25_5 }) => found_25_5[1], 'ms')
  grown('the same with all that a report reads, p50', ({ search_25_5 }) => search_25_5[0], 'ms')
  grown('found within 100 mi in 10 y, p50', ({ found_100_10 }) => found_100_10[0], 'ms')
  grown('import', ({ import_rows_a_second }) => import_rows_a_second, 'rows a second')
  const gigabytes = (AIM.records * largest.bytes_a_record) / GIGABYTE
  say(
    `  disk: ${gigabytes.toFixed(0)} GB at ${AIM.records}; the search index ${((AIM.records * largest.search_index_bytes_a_record) / GIGABYTE).toFixed(1)} GB, which memory should hold`,
  )
  const slow = sizeWhere(
    curve(({ search_25_5 }) => search_25_5[1]),
    10,
  )
  say(
    `  p95 of finding within 25 mi in 5 y reaches 10 ms at ${slow === Number.POSITIVE_INFINITY ? 'no size' : slow.toExponential(1)} records`,
  )
  const days = curveThrough(storms.map(({ properties, exposures_a_second }) => ({ size: properties, value: exposures_a_second })))
  say(
    `  storm days: ${at(days, AIM.properties).toFixed(0)} exposures a second at ${AIM.properties} properties (exponent ${days.exponent.toFixed(2)}), by one worker`,
  )
}

/** For people: beside the figures alone it goes to standard error. */
function say(line: string): void {
  if (flags.json) console.error(line)
  else console.log(line)
}

await main()
