import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { topUp } from '#domain/plans/credits.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { configFor } from '#test/support/config-for.ts'
import { openProcesses, type Processes, SECRET_KEYS } from '#test/support/processes.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { builtJobs } from '#workers/jobs.ts'
import { functionsOf } from './profile.ts'
import { seededRandom } from './random.ts'
import { cpuOfTree, openServer, type Server } from './server.ts'

/**
 * `npm run load`: two API processes and two workers under a mix of requests at rising rates, until one request in
 * twenty takes longer than half a second. Requests are sent when they are due, however late the earlier ones are,
 * and timed from then, so a service that falls behind cannot slow its own measurement down. Prints figures by core,
 * and the functions in which one process spent its time: `--profile api`, or `worker`. The queue and the limits are
 * in Redis if there is one.
 */
const { values: flags } = parseArgs({
  options: {
    start: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '10' },
    steps: { type: 'string', default: '12' },
    profile: { type: 'string', default: 'api' },
  },
})

/** What the service promises at the 95th percentile. */
const PROMISED_MS = 500
/** Each step has half as many requests again. */
const STEP = 1.5
/** In flight on each API process: more than its pool of database connections can serve at once. */
const CONNECTIONS = 64
/** If more than this many seconds' worth is due at once, it is no longer a measurement: the step ends. */
const BEHIND_MAX_SECONDS = 2
/** In production, printing has a process of its own on other processors. */
const JOBS = builtJobs.filter((name) => name !== 'report.render')
const REPORTS_BEFORE = 100

interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

interface Step {
  rate: number
  answered: number
  failed: number
  p50: number
  p95: number
  /** Processor seconds used in each second by both API processes, both workers, the database, and this program. */
  api: number
  workers: number
  database: number
  asking: number
}

async function main(): Promise<void> {
  const server = await openServer()
  const database = await server.database()
  const profiles = await mkdtemp(path.join(os.tmpdir(), 'weather-load-'))
  const { token } = await furnish(database.url)
  const redis = redisIsHere ? await startRedis() : null
  const processes = await openProcesses(database.url, { LOG_LEVEL: 'error', ...(redis && { REDIS_URL: redis.url }) })
  try {
    const startedAt = performance.now()
    const start = (role: 'api' | 'worker') =>
      ([0, 1] as const).map((nth) => {
        const under = role === flags.profile && nth === 0 ? profiledInto(profiles) : undefined
        return processes.start(role, { nth, ...(under && { under }), ...(role === 'worker' && { args: [`--jobs=${JOBS}`] }) })
      })
    const cpu: Cpu = { api: start('api'), workers: start('worker'), server }
    await processes.ready()
    const start_ms = performance.now() - startedAt
    const mix = await mixOf(processes, token)
    console.log(
      `${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), Node ${process.versions.node}, ${server.label}, ${redis ? 'Redis' : 'no Redis'}, load ${loadNow()}`,
    )
    console.log('rate/s  answered/s  failed  p50 ms  p95 ms  cores: API  workers  database  asking  answered/s a core')
    for (let step = 0, rate = Number(flags.start); step < Number(flags.steps); step++, rate = Math.round(rate * STEP)) {
      const figures = await measured(cpu, processes, token, mix, rate)
      print(figures)
      if (figures.p95 > PROMISED_MS || figures.failed > figures.answered / 100) break
    }
    for (const each of [...cpu.api, ...cpu.workers]) await processes.stop(each)
    await printProfile(profiles, start_ms)
  } finally {
    await processes.close()
    await redis?.stop()
    await database.drop()
    await server.close()
    await rm(profiles, { recursive: true, force: true })
  }
}

/** Starts a Node.js program with a profile; Node.js 20 does not accept the option from its environment. */
function profiledInto(folder: string): string[] {
  return ['sh', '-c', 'program=$1; shift; exec "$program" --cpu-prof --cpu-prof-dir="$0" "$@"', folder]
}

/** Makes a team with the sample's storm day, watched, and with endless credits. */
async function furnish(database_url: string): Promise<{ token: string }> {
  const app = await openApp(configFor({ database_url, secret_keys: SECRET_KEYS }))
  await seedPlaces(app.pool)
  await seedSample(app)
  await refreshMaps(app)
  const team = await createTeam(app.db, systemClock, { name: 'Load', plan: 'enterprise' })
  await app.db.$transaction((tx) => topUp(tx, team.id, 1_000_000, new Date()))
  await watchSample(app, team.id)
  const { token } = await issueToken(app.db, {
    team_id: team.id,
    name: 'Load',
    abilities: abilities.map(({ name }) => name),
    expires_at: null,
  })
  await closeApp(app)
  return { token }
}

/** Draws requests: of a hundred, 80 read reports and the account, 7 read exposures, 7 a tile, 6 create a report. */
async function mixOf(processes: Processes, token: string): Promise<() => LoadRequest> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ids: string[] = []
  for (let made = 0; made < REPORTS_BEFORE; made++) {
    const body = JSON.stringify(reportBody(made))
    const answer = await fetch(`${processes.base_url}/api/v1/reports`, { method: 'POST', headers, body })
    ids.push(((await answer.json()) as { data: { id: string } }).data.id)
  }
  const random = seededRandom()
  const get = (at: string): LoadRequest => ({ method: 'GET', path: `/api/v1${at}` })
  return () => {
    const drawn = random.next() * 100
    if (drawn < 25) return get('/reports')
    if (drawn < 60) return get(`/reports/${random.pick(ids)}`)
    if (drawn < 70) return get(`/reports/${random.pick(ids)}/events`)
    if (drawn < 80) return get('/account')
    if (drawn < 87) return get('/exposures')
    if (drawn < 94) return get(`/tiles/${tileAt(random.integer(5, 9))}.mvt`)
    return { method: 'POST', path: '/api/v1/reports', body: reportBody(random.integer(0, 1000)) }
  }
}

function reportBody(nth: number): object {
  const { address, window_start, window_end } = sampleStorm
  return { address, window_start, window_end, radius_miles: 5 + (nth % 20) }
}

/** The tile over the sample's storm. */
function tileAt(zoom: number): string {
  const across = 2 ** zoom
  const radians = (sampleStorm.latitude * Math.PI) / 180
  const y = (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2
  return `${zoom}/${Math.floor(((sampleStorm.longitude + 180) / 360) * across)}/${Math.floor(y * across)}`
}

async function measured(cpu: Cpu, processes: Processes, token: string, mix: () => LoadRequest, rate: number): Promise<Step> {
  const pools = processes.base_urls.map((url) => new Pool(url, { connections: CONNECTIONS }))
  const before = used(cpu)
  const startedAt = performance.now()
  const { times, failed } = await ask(pools, token, mix, rate)
  const seconds = (performance.now() - startedAt) / 1000
  const after = used(cpu)
  for (const pool of pools) await pool.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.POSITIVE_INFINITY
  const perSecond = (of: keyof Used) => (after[of] - before[of]) / seconds
  return {
    rate,
    answered: times.length / seconds,
    failed,
    p50: at(0.5),
    p95: at(0.95),
    api: perSecond('api'),
    workers: perSecond('workers'),
    database: perSecond('database'),
    asking: perSecond('asking'),
  }
}

/** Sends each request when it is due, and waits for the last response. */
async function ask(pools: Pool[], token: string, mix: () => LoadRequest, rate: number): Promise<{ times: number[]; failed: number }> {
  const [times, waiting]: [number[], Set<Promise<void>>] = [[], new Set()]
  let failed = 0
  const total = rate * Number(flags.seconds)
  const startedAt = performance.now()
  for (let sent = 0; sent < total && waiting.size < rate * BEHIND_MAX_SECONDS; sent++) {
    const due = startedAt + (sent / rate) * 1000
    if (due > performance.now()) await pause(due - performance.now())
    const pool = pools[sent % pools.length] as Pool
    const answer = one(pool, token, mix()).then((well) => {
      if (well) times.push(performance.now() - due)
      else failed += 1
      waiting.delete(answer)
    })
    waiting.add(answer)
  }
  await Promise.all(waiting)
  return { times, failed }
}

async function one(pool: Pool, token: string, { method, path, body }: LoadRequest): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  try {
    const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null })
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
    return answer.statusCode < 300
  } catch {
    return false
  }
}

/** The processes whose processor time is read. */
interface Cpu {
  api: ChildProcess[]
  workers: ChildProcess[]
  server: Server
}

/** Processor seconds used so far. */
interface Used {
  api: number
  workers: number
  database: number
  asking: number
}

function used({ api, workers, server }: Cpu): Used {
  const seconds = (processes: ChildProcess[]) =>
    processes.reduce((sum, { pid }) => sum + (cpuOfTree(pid as number) ?? Number.NaN), 0) / 1000
  const { user, system } = process.cpuUsage()
  return {
    api: seconds(api),
    workers: seconds(workers),
    database: (server.cpuMs() ?? Number.NaN) / 1000,
    asking: (user + system) / 1e6,
  }
}

function print({ rate, answered, failed, p50, p95, api, workers, database, asking }: Step): void {
  const columns = [
    [rate.toFixed(0), 6],
    [answered.toFixed(0), 10],
    [failed, 6],
    [p50.toFixed(0), 6],
    [p95.toFixed(0), 6],
    [api.toFixed(2), 10],
    [workers.toFixed(2), 7],
    [database.toFixed(2), 8],
    [asking.toFixed(2), 6],
    [(answered / (api + workers + database)).toFixed(0), 17],
  ] as const
  console.log(columns.map(([text, width]) => String(text).padStart(width)).join('  '))
}

const loadNow = () => os.loadavg()[0]?.toFixed(1)

/** Functions with a share large enough to list. */
const SHOWN = 15

async function printProfile(folder: string, start_ms: number): Promise<void> {
  const [name] = await readdir(folder)
  if (!name) return
  const { functions, packages } = functionsOf(JSON.parse(await readFile(path.join(folder, name), 'utf8')), start_ms)
  const percent = (share: number) => `${(share * 100).toFixed(1).padStart(5)} %`
  console.log(`\nWhere the first ${flags.profile} process spent the time in which it was not idle:`)
  for (const { label, share } of packages.slice(0, SHOWN)) console.log(`  ${percent(share)}  ${label}`)
  console.log('and in which functions:')
  for (const { label, share } of functions.slice(0, SHOWN)) console.log(`  ${percent(share)}  ${label}`)
}

await main()
