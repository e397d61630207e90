import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, Server } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { createFirstTeam, type FirstTeam } from '#domain/access/first-team.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { fileRanges } from '#domain/engines/byte-ranges.ts'
import { forceTeamRows, migrate } from '#domain/engines/migrations.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { StoreFault } from '#domain/engines/store-fault.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { postSample } from '#domain/integrations/sample.ts'
import { BadSettings, type Config, readConfig } from '#domain/kernel/config.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { BadBasemap, openArchive } from '#domain/maps/basemap/archive.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { startBrowser } from '#domain/observability/browser-status.ts'
import { declareGauges } from '#domain/observability/gauges.ts'
import { reasonOf, startupErrorText } from '#domain/observability/startup-error.ts'
import { giveLink } from '#domain/people/give-link.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { signingKeys } from '#domain/reports/signing/keys.ts'
import { announceRing } from '#domain/secret-keys/rings.ts'
import { openApi } from '#rest/host.ts'
import { openMetricsPort } from '#rest/metrics.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import { startWorkers } from '#workers/main.ts'
import { migrateQueueOf } from '#workers/queue-stores.ts'

/** Who the first owner is until somebody invites themselves: an address that nobody can have (RFC 2606). */
const FIRST_OWNER = 'owner@weather.invalid'

/** What a program on the same machine needs to use this server: `$WEATHER_HOME/ready.json`, there only while it serves. */
interface Ready {
  base_url: string
  graphql_url: string
  console_url: string
  /** Signs the first team's owner in, once, within an hour. */
  sign_in_url: string | null
  pid: number
  token: string | null
  team_id: string | null
  operator_key: string | null
  sample: typeof sampleStorm | null
}

const roles = ['api', 'worker'] as const
type Role = (typeof roles)[number]
/** `--migrate --roles=none` brings the database up to date and ends: what runs once before several processes start. */
const NO_ROLE = 'none'

/** What the command line asks for. */
interface Arguments {
  migrate: boolean
  /** Has row security bind the tables' owner too. */
  force_rows: boolean
  roles: Role[]
  /** Undefined: all. */
  jobs: BuiltJob[] | undefined
}

/** Beside package.json, from the source and from the bundle alike. */
const migrations = path.dirname(fileURLToPath(import.meta.resolve('#migrations/migration_lock.toml')))
/** Everything in flight has ended well before; an orchestrator's kill comes at 30 s. */
const STOP_WITHIN_MS = 28_000
/** A request that was underway when the signal came has been read and answered by then. */
const LAST_REQUESTS_MS = 1000
/** Exit status of a start refused for its settings or arguments, as distinct from a fault (1). */
const REFUSED = 2

/** The settings, once read: the message of a failed start names them. */
let settings: Config | null = null

await serve().catch((fault) => {
  console.error(startupErrorText(fault, settings) ?? fault)
  process.exit(fault instanceof BadSettings ? REFUSED : 1)
})

/** Opens the App and starts the roles asked for, until a signal, or the end of the program that started this one. With no role it migrates only. */
async function serve(): Promise<void> {
  const wanted = readArguments()
  const config = await withPort(readConfig(process.env))
  settings = config
  await makeFolders(config, wanted)
  if (wanted.roles.includes('api')) await tryBasemap(config)
  if (wanted.migrate) await prepareDatabase(config, wanted.force_rows)
  if (wanted.roles.length === 0) return
  const app = await openApp(config)
  if (prints(wanted) && config.bucket) await tryBucket(app)
  app.metrics.watchProcess()
  declareGauges(app)
  const ring = await announceRing(app)
  await seedPlaces(app.pool)
  if (prints(wanted)) await signingKeys(app)
  const { seat, sampleIsHeld } = await fillSample(app)

  const workers = wanted.roles.includes('worker') ? await startWorkers(app, wanted.jobs) : null
  const api = wanted.roles.includes('api') ? await openApi(app) : null
  await api?.listen({ host: config.host, port: config.port }).catch(refusePort(config))
  const figures = await openMetricsPort(app).catch(
    refusePort({ host: config.metrics_host, port: config.metrics_port ?? 0 }, 'METRICS_PORT'),
  )

  const ready: Ready = {
    base_url: config.base_url,
    graphql_url: `${config.base_url}/graphql`,
    console_url: config.console_url,
    sign_in_url: api && seat ? (await giveLink(app, { team_id: seat.team_id, email: FIRST_OWNER, role: 'owner' })).url : null,
    pid: process.pid,
    token: seat?.token ?? null,
    team_id: seat?.team_id ?? null,
    operator_key: config.operator_key,
    sample: sampleIsHeld ? sampleStorm : null,
  }
  // Listens for signals before it is announced as ready: a signal that came before would end it unfinished.
  const stop = signalToStop()
  const file = path.join(config.home, 'ready.json')
  if (api) await announce(file, ready)
  app.log.info({ base_url: config.base_url, roles: wanted.roles, metrics_port: figures?.port }, 'ready')
  process.send?.({ serving: api ? ready : null })
  if (prints(wanted)) startBrowser(app).catch((err) => app.log.warn({ err }, 'what holds the browser could not be noted'))

  await stop
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  app.log.info('stopping')
  if (api) rmSync(file, { force: true })
  await Promise.all([api && stopApi(api), workers?.stop()])
  await figures?.close()
  await ring.end()
  await closeApp(app)
  process.exit(0)
}

/** Those that are missing are made: of the state where an API process says that it is ready, of documents where they are printed. */
async function makeFolders({ home, blobs, bucket, archive_files }: Config, wanted: Pick<Arguments, 'roles' | 'jobs'>): Promise<void> {
  const needed = [
    ...(wanted.roles.includes('api') ? [['WEATHER_HOME', home]] : []),
    ...(prints(wanted) && !bucket ? [['WEATHER_BLOBS', blobs]] : []),
    ...(archive_files ? [['ARCHIVE_FILES', archive_files]] : []),
  ]
  const faults: string[] = []
  for (const [setting, folder] of needed as [string, string][]) {
    try {
      // Its ready.json holds a token and the operator key.
      await makeFolder(folder, setting === 'WEATHER_HOME' ? 0o700 : undefined)
      // The permissions of a folder do not show a read-only disk: writing does.
      const probe = path.join(folder, `.${randomUUID()}`)
      await writeFile(probe, '')
      await rm(probe, { force: true })
    } catch (fault) {
      faults.push(`${setting} ${folder} cannot be written to: ${reasonOf(fault)}`)
    }
  }
  if (faults.length > 0) throw new BadSettings(faults)
}

/** A file that is not there, or none that can be drawn, ends the start: later it would be missed on the map alone. A web server may answer by then. */
async function tryBasemap({ basemap }: Config): Promise<void> {
  if (basemap?.kind !== 'file') return
  try {
    await openArchive(fileRanges(basemap.path))
  } catch (fault) {
    const why = fault instanceof BadBasemap ? `cannot be used: ${fault.message}` : `cannot be read: ${reasonOf(fault)}`
    throw new BadSettings([`BASEMAP ${basemap.path} ${why}`])
  }
}

/** A bucket that only another setting makes usable ends the start; one that does not answer now may do so when there is something to store. */
async function tryBucket({ blobs, log }: App): Promise<void> {
  try {
    await blobs.probe()
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault
    if (!fault.passing) throw new BadSettings([`WEATHER_BLOBS: ${fault.message}`])
    log.warn(fault.message)
  }
}

/** One folder after the other: Node's own way goes on for ever where a file system like /proc takes none. */
async function makeFolder(folder: string, mode?: number): Promise<void> {
  const make = () =>
    mkdir(folder, { mode }).catch((fault: NodeJS.ErrnoException) => {
      // Made by another process, or a file: writing there shows it.
      if (fault.code !== 'EEXIST') throw fault
    })
  await make().catch(async (fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'ENOENT' || path.dirname(folder) === folder) throw fault
    await makeFolder(path.dirname(folder))
    await make()
  })
}

/** Seats the first team and fills in the made-up storm day, where that is set: one process at a time, whoever else starts now. */
async function fillSample(app: App): Promise<{ seat: FirstTeam | null; sampleIsHeld: boolean }> {
  if (!app.config.sample) return { seat: null, sampleIsHeld: false }
  return withSource(app, 'first start', async () => {
    const seat = await createFirstTeam(app)
    const sampleIsHeld = await seedSample(app)
    if (sampleIsHeld) {
      await watchSample(app, seat.team_id)
      await postSample(app, seat.team_id)
      // The first look at the map shows the sample; a browser would keep an empty tile for an hour.
      await refreshMaps(app)
    }
    return { seat, sampleIsHeld }
  })
}

/** Brings the tables up to date with the role that owns them, and gives the role that serves its rights. */
async function prepareDatabase({ database_migrate_url, database_url, redis_url }: Config, force_rows: boolean): Promise<void> {
  await migrate(database_migrate_url, migrations)
  if (force_rows) await forceTeamRows(database_migrate_url)
  if (!redis_url) await migrateQueueOf(database_migrate_url)
  await grantService(database_migrate_url, database_url)
}

/** Only what prints signs: a certificate may be given to that process alone. */
function prints({ roles, jobs }: Pick<Arguments, 'roles' | 'jobs'>): boolean {
  return roles.includes('worker') && (jobs === undefined || jobs.includes('report.render'))
}

async function stopApi(api: FastifyInstance): Promise<void> {
  await answerLastRequests(api.server)
  await api.close()
}

/** Takes no more connections, and still answers what comes over those that stand, marked as the last for their clients. */
async function answerLastRequests(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  // Connections that wait to be accepted would be reset with the listener: the loop takes all of them before it comes here.
  await new Promise((accepted) => setImmediate(accepted))
  // The close of an HTTP server would cut off idle connections at once, and with them requests that are on their way.
  Server.prototype.close.call(server)
  await pause(LAST_REQUESTS_MS)
}

/** @throws BadSettings naming the argument that cannot be used */
function readArguments(): Arguments {
  try {
    const { values } = parseArgs({
      options: {
        roles: { type: 'string', default: roles.join(',') },
        jobs: { type: 'string' },
        'except-jobs': { type: 'string' },
        migrate: { type: 'boolean', default: false },
        'force-rows': { type: 'boolean', default: false },
      },
    })
    const asked = values.roles === NO_ROLE ? [] : values.roles.split(',').map((role) => role.trim())
    const unknown = asked.find((role) => !roles.includes(role as Role))
    if (unknown !== undefined) throw new Error(`--roles must be of ${roles.join(', ')}, or ${NO_ROLE}, not '${unknown}'`)
    return { migrate: values.migrate, force_rows: values['force-rows'], roles: asked as Role[], jobs: jobsOf(values) }
  } catch (fault) {
    throw new BadSettings([(fault as Error).message])
  }
}

/** The jobs that are named, or all but those; undefined: all. */
function jobsOf({ jobs, 'except-jobs': except }: { jobs?: string; 'except-jobs'?: string }): BuiltJob[] | undefined {
  const [option, text] = jobs === undefined ? (['--except-jobs', except] as const) : (['--jobs', jobs] as const)
  if (text === undefined) return undefined
  if (jobs !== undefined && except !== undefined) throw new Error('--jobs and --except-jobs exclude each other: give one of them')
  const named = text.split(',').map((name) => name.trim())
  const unbuilt = named.find((name) => !builtJobs.includes(name as BuiltJob))
  if (unbuilt !== undefined) throw new Error(`${option} must be of ${builtJobs.join(', ')}, not '${unbuilt}'`)
  return option === '--jobs' ? (named as BuiltJob[]) : builtJobs.filter((name) => !named.includes(name))
}

/** PORT=0 asks for any free port: it is drawn here, so that every link carries it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer().listen(0, config.host)
  await once(probe, 'listening').catch(refusePort(config))
  const { port } = probe.address() as { port: number }
  await new Promise((resume) => probe.close(resume))
  const base_url = config.base_url.replace(/:0$/, `:${port}`)
  return { ...config, port, base_url, console_url: consoleUrlOf(base_url) }
}

function refusePort({ host, port }: Pick<Config, 'host' | 'port'>, setting = 'PORT') {
  const where = setting === 'PORT' ? 'HOST' : 'METRICS_HOST'
  return (fault: NodeJS.ErrnoException): never => {
    if (fault.code === 'EADDRINUSE') throw new BadSettings([`${setting} ${port} is in use on ${host}: set another`])
    if (fault.code === 'EACCES') throw new BadSettings([`${setting} ${port} may not be taken by this user: set one above 1023`])
    if (fault.syscall === 'listen' || fault.syscall === 'getaddrinfo')
      throw new BadSettings([`${where} ${host} cannot be listened on: ${reasonOf(fault)}`])
    throw fault
  }
}

async function announce(file: string, ready: Ready): Promise<void> {
  await writeFile(`${file}.draft`, JSON.stringify(ready, null, 2), { mode: 0o600 })
  await rename(`${file}.draft`, file)
}

/** Resolves at the first signal, or when the channel to the program that started this one closes. */
function signalToStop(): Promise<unknown> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    if (process.channel) process.on('disconnect', stop)
  })
}
