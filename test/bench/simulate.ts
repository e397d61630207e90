import os from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { configFor } from '#test/support/config-for.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { percentile } from './frame.ts'
import { type Random, seededRandom } from './random.ts'
import { settingOf, writeResults } from './results.ts'
import { type Database, openServer, type Server } from './server.ts'
import { archiveSizeOf, growTo, hasLearned, type Learned, learn } from './simulation/archive.ts'
import { at, curveThrough, type Point, sizeWhere } from './simulation/curve.ts'
import { measureArchive, readSearchIndex, type Spread, type Step, spreadOf, timeImports } from './simulation/measure.ts'
import { addObservations, addStations, measureObservations, type ObservationStep, timeMetar } from './simulation/observations.ts'
import { observationsResult, simulatedResult } from './simulation/result.ts'
import {
  addProperties,
  addTeams,
  busiestDays,
  joinDay,
  joinDaysByPostgis,
  type StormDay,
  type StormStep,
  type WorkedDays,
  workThrough,
} from './simulation/teams.ts'

/**
 * `npm run simulate` grows an archive, teams and watched properties step by step, shaped like the real year files, on a
 * PostgreSQL of its own, as far as the disk allows. For each step it prints the time of a search, an import and a storm
 * day. A power law through the steps estimates these times at 100 million records and 2 million properties.
 *
 * Everything is removed at the end, unless `--keep` names a folder: the archive is made there once, and each run with
 * that folder measures it as it is, or grows it.
 * `--records`, `--properties` and `--teams` are the largest step, at which `--days` storm days are processed, for
 * `--minutes` at most (without properties or minutes, none is); `--records 0` leaves the records out.
 * `--observations` lets stations report so many hours of ten years in an archive of their own, first one hour of fifty.
 * `--gigabytes` limits the archive on disk. `--bare` leaves out texts and addresses of sources, so that nearly twice as
 * many records fit. `--buffers` sets PostgreSQL's own memory. `--write` stores the results in results.md and
 * results.json here, as `npm run bench` does. `--json` prints the figures alone.
 */
const { values: flags } = parseArgs({
  options: {
    records: { type: 'string', default: '20000000' },
    observations: { type: 'string', default: '0' },
    properties: { type: 'string', default: '2000000' },
    teams: { type: 'string', default: '10000' },
    days: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '20' },
    gigabytes: { type: 'string', default: '20' },
    bare: { type: 'boolean', default: false },
    keep: { type: 'string' },
    buffers: { type: 'string', default: '512MB' },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

/** The target sizes for which the model is evaluated. */
const AIM = { records: 100_000_000, properties: 2_000_000 }
/** Each step is about three times the one before. */
const STEP = 3
/** The first step: what a national archive of storm reports contains today, and a tenth of the final number of watched properties. */
const FIRST = { records: 2_000_000, properties: AIM.properties / 10 }
/** Storm days that are processed before the largest step, to see the growth. */
const DAYS_A_STEP = 3
/** Storm days whose records are joined with watched properties, without processing them. */
const JOINED_DAYS = 20
const GIGABYTE = 2 ** 30

async function main(): Promise<void> {
  const server = await openServer(flags.keep, flags.buffers)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close().finally(() => process.exit(130)))
  try {
    say(`${os.cpus().length} cores, Node ${process.versions.node}, ${server.label}, load ${os.loadavg()[0]?.toFixed(1)}`)
    if (Number(flags.records) > 0) await simulateRecords(server)
    if (Number(flags.observations) > 0) await simulateObservations(server, Number(flags.observations))
  } finally {
    await server.close()
  }
}

async function simulateRecords(server: Server): Promise<void> {
  const random = seededRandom()
  const rate = await withApp(server, await server.database(), ({ app }) => timeImports(app, random))
  say(`${rate.toFixed(0)} rows a second into an empty archive`)
  const kept = await server.database(flags.keep === undefined ? undefined : KEPT)
  const hasArchive = flags.keep !== undefined && (await hasLearned(kept.pool))
  // An existing archive is compared with a small one of the same run.
  const first = hasArchive ? await measured(server, await server.database(), random, FIRST.records) : { steps: [], storms: [] }
  const rest = await measured(server, kept, random, Number(flags.records))
  const steps = [...first.steps, ...rest.steps]
  const storms = [...first.storms, ...rest.storms]
  if (flags.write) writeResults([{ ...simulatedResult(rate, steps, storms), setting: settingOf(server.label) }])
  if (flags.json) console.log(JSON.stringify({ rate, steps, storms }))
  else printModel(steps, storms)
}

/** Watched properties around which stations are read. */
const WATCHED = { teams: 100, properties: 20_000 }

/** Lets stations report each hour of ten years, first one hour of fifty and then all of them, in an archive of their own. */
async function simulateObservations(server: Server, observations: number): Promise<void> {
  await withApp(server, await server.database(), async ({ app, pool }) => {
    await learn(app, true)
    await addTeams(pool, WATCHED.teams)
    await addProperties(pool, WATCHED.properties)
    say(`${await addStations(pool, observations)} stations`)
    const rate = await timeMetar(app, 5)
    say(`${rate.toFixed(0)} reports a second where none are held`)
    const steps: ObservationStep[] = []
    for (const [part, month, restating] of [
      ['first', 1, { minute: 20, knots: 60 }],
      ['others', 3, { minute: 40, knots: 80 }],
    ] as const) {
      await addObservations(pool, part)
      const step = await measureObservations(app, pool, month, restating)
      steps.push(step)
      say(JSON.stringify(step))
    }
    if (flags.write) writeResults([{ ...observationsResult(rate, steps), setting: settingOf(server.label) }])
    if (flags.json) console.log(JSON.stringify({ rate, steps }))
  })
}

/** The database of a kept folder. */
const KEPT = 'simulated'

/** Opens an App on a database of its own, which is removed unless the folder is kept. */
async function withApp<T>(server: Server, database: Database, work: (own: { app: App; pool: pg.Pool }) => Promise<T>): Promise<T> {
  const { url, pool, drop } = database
  const home = await server.folder()
  const app = await openApp(configFor({ database_url: url, home, blobs: path.join(home, 'blobs'), log_level: 'silent' }), {
    printer: blankPrinter,
  })
  try {
    return await work({ app, pool })
  } finally {
    await closeApp(app)
    await drop().catch(() => pool.end())
  }
}

interface Measured {
  steps: Step[]
  storms: StormStep[]
}

/** Grows the archive of a database and measures it, with the storm days over watched properties. */
async function measured(server: Server, database: Database, random: Random, records: number): Promise<Measured> {
  return withApp(server, database, async ({ app, pool }) => {
    const learned = await learn(app, flags.bare)
    say(`learned from ${learned.records} records (${learned.from})`)
    const steps = await archiveSteps(server, app, pool, learned, random, records)
    return { steps, storms: Number(flags.properties) > 0 ? await stormSteps(server, app, pool, steps.at(-1)?.records ?? 0) : [] }
  })
}

async function archiveSteps(server: Server, app: App, pool: pg.Pool, learned: Learned, random: Random, records: number): Promise<Step[]> {
  const steps: Step[] = []
  say('p50 and p95 in ms')
  say(
    'records  GB  bytes each  of them search index  25 mi/5 y found  of them  read  100 mi/10 y found  import rows/s  lists ms  tiles z8  by PostGIS  z10  by PostGIS  load',
  )
  const { records: storedRecords } = await archiveSizeOf(pool)
  const sizes = sizesUpTo(records, FIRST.records).filter((size) => size > storedRecords)
  for (const size of sizes.length === 0 ? [storedRecords] : sizes) {
    const last = steps.at(-1)
    if (last && size * last.bytes_a_record > Number(flags.gigabytes) * GIGABYTE) {
      say(`${size} records would take more than ${flags.gigabytes} GB: the model goes on from here`)
      break
    }
    if (size > storedRecords) await growTo(pool, size, learned, random)
    const step = await measureArchive(app, pool, random, server.postgis, say)
    steps.push(step)
    const spread = ([p50, p95]: Spread) => `${p50.toFixed(2)} ${p95.toFixed(2)}`
    say(
      [
        step.records,
        ((step.records * step.bytes_a_record) / GIGABYTE).toFixed(1),
        step.bytes_a_record.toFixed(0),
        step.search_index_bytes_a_record.toFixed(0),
        spread(step.found_25_5),
        step.of_25_5.join(' '),
        ...[step.search_25_5, step.found_100_10].map(spread),
        step.import_rows_a_second.toFixed(0),
        step.lists_ms.toFixed(0),
        ...[step.tile_8, step.tile_8_by_postgis, step.tile_10, step.tile_10_by_postgis].map((times) => (times ? spread(times) : '-')),
        os.loadavg()[0]?.toFixed(1),
      ].join('  '),
    )
  }
  return steps
}

/** From the first to the largest size in even steps of about three; a largest size below the first is the only one. */
function sizesUpTo(largest: number, first: number): number[] {
  const steps = Math.max(0, Math.round(Math.log(largest / first) / Math.log(STEP)))
  return Array.from({ length: steps + 1 }, (_, nth) => Math.round(largest * (first / largest) ** ((steps - nth) / (steps || 1))))
}

async function stormSteps(server: Server, app: App, pool: pg.Pool, records: number): Promise<StormStep[]> {
  const steps: StormStep[] = []
  say('properties  joined ms, p50 p95  by PostGIS  ms for a thousand times reached  days  median s a day  slowest  exposures  exposures/s')
  await addTeams(pool, Number(flags.teams))
  const sizes = sizesUpTo(Number(flags.properties), FIRST.properties)
  for (const properties of sizes) {
    await addProperties(pool, properties)
    const largest = properties === sizes.at(-1)
    const days = await busiestDays(pool, Math.max(JOINED_DAYS, largest ? Number(flags.days) : 0))
    await readSearchIndex(pool)
    const joins = []
    for (const day of days.slice(0, JOINED_DAYS)) joins.push(await joinDay(pool, day))
    const joined = spreadOf(joins.map(({ ms }) => ms))
    const joined_a_thousand = (1000 * sumOf(joins.map(({ ms }) => ms))) / sumOf(joins.map(({ times }) => times))
    const joined_by_postgis = server.postgis ? await joinDaysByPostgis(pool, days.slice(0, JOINED_DAYS)) : null
    const worked = await workThroughDays(app, days.slice(0, largest ? Number(flags.days) : DAYS_A_STEP))
    steps.push({ records, properties, joined, joined_a_thousand, joined_by_postgis, worked })
    const spread = (times: Spread | null) => times?.map((ms) => ms.toFixed(1)).join(' ') ?? '-'
    say(
      [
        properties,
        spread(joined),
        spread(joined_by_postgis),
        joined_a_thousand.toFixed(2),
        ...(worked
          ? [worked.days, ...worked.seconds.map((one) => one.toFixed(1)), worked.exposures, worked.exposures_a_second.toFixed(0)]
          : ['no day was worked through']),
      ].join('  '),
    )
    await pool.query('TRUNCATE exposures CASCADE')
  }
  return steps
}

/** Processes storm days, one after the other, until the given minutes are over; null if none was begun. */
async function workThroughDays(app: App, days: readonly StormDay[]): Promise<WorkedDays | null> {
  const until = performance.now() + Number(flags.minutes) * 60_000
  const done = []
  for (const day of days) if (performance.now() < until) done.push(await workThrough(app, day))
  if (done.length === 0) return null
  const seconds = done.map((one) => one.seconds)
  const exposures = sumOf(done.map(({ written }) => written))
  return {
    days: done.length,
    seconds: [percentile(seconds, 50), Math.max(...seconds)],
    exposures,
    exposures_a_second: exposures / sumOf(seconds),
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)

/** Where the next limit is, by the curves through the measured values. */
function printModel(steps: Step[], storms: StormStep[]): void {
  const largest = steps.at(-1)
  if (!largest || steps.length < 2) {
    say('too few steps for a model: give a larger --records or --gigabytes')
    return
  }
  const curve = (value: (step: Step) => number) => curveThrough(steps.map((step): Point => ({ size: step.records, value: value(step) })))
  const reportGrowth = (what: string, value: (step: Step) => number, unit: string) => {
    const { factor, exponent } = curve(value)
    const there = `${at({ factor, exponent }, AIM.records).toFixed(1)} at ${AIM.records} (exponent ${exponent.toFixed(2)})`
    say(`  ${what}: ${value(largest).toFixed(1)} ${unit} at ${largest.records}, ${there}`)
  }
  say(`\nBy a power law through ${steps.length} steps:`)
  reportGrowth('found within 25 mi in 5 y, p50', ({ found_25_5 }) => found_25_5[0], 'ms')
  reportGrowth('found within 25 mi in 5 y, p95', ({ found_25_5 }) => found_25_5[1], 'ms')
  reportGrowth('the same with all that a report reads, p50', ({ search_25_5 }) => search_25_5[0], 'ms')
  reportGrowth('found within 100 mi in 10 y, p50', ({ found_100_10 }) => found_100_10[0], 'ms')
  reportGrowth('import', ({ import_rows_a_second }) => import_rows_a_second, 'rows a second')
  const gigabytes = (AIM.records * largest.bytes_a_record) / GIGABYTE
  say(
    `  disk: ${gigabytes.toFixed(0)} GB at ${AIM.records}; the search index ${((AIM.records * largest.search_index_bytes_a_record) / GIGABYTE).toFixed(1)} GB, which memory should hold`,
  )
  const slow = sizeWhere(
    curve(({ found_25_5 }) => found_25_5[1]),
    10,
  )
  say(
    `  p95 of finding within 25 mi in 5 y reaches 10 ms at ${slow === Number.POSITIVE_INFINITY ? 'no size' : slow.toExponential(1)} records`,
  )
  const watched = storms
    .filter(({ records }) => records === storms.at(-1)?.records)
    .flatMap(({ properties, worked }) => (worked ? [{ size: properties, value: worked.exposures_a_second }] : []))
  if (watched.length < 2) return
  const days = curveThrough(watched)
  say(
    `  storm days: ${at(days, AIM.properties).toFixed(0)} exposures a second at ${AIM.properties} properties (exponent ${days.exponent.toFixed(2)}), by one worker`,
  )
}

/** For people: with --json it goes to standard error. */
function say(line: string): void {
  if (flags.json) console.error(line)
  else console.log(line)
}

await main()
