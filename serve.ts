import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
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
import { type DatabaseIdentity, databaseIdentity, identityAt, isSameDatabase } from '#domain/engines/database-identity.ts'
import { openLog } from '#domain/engines/log.ts'
import { forceTeamRows, migrate } from '#domain/engines/migrations.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { StoreFault } from '#domain/engines/store-fault.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { postSample } from '#domain/integrations/sample.ts'
import { BadSettings, type Config, readConfig } from '#domain/kernel/config.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { misspelledSettings } from '#domain/kernel/misspelled-settings.ts'
import { BadBasemap, openArchive } from '#domain/maps/basemap/archive.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { startBrowser } from '#domain/observability/browser-status.ts'
import { declareGauges } from '#domain/observability/gauges.ts'
import { type NamedDatabase, reasonOf, startupErrorText } from '#domain/observability/startup-error.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { signingKeys } from '#domain/reports/signing/keys.ts'
import { announceRing } from '#domain/secret-keys/rings.ts'
import { createApiServer } from '#rest/host.ts'
import { openMetricsPort } from '#rest/metrics.ts'
import { migrateQueueOf } from '#workers/database-store.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import { startWorkers } from '#workers/main.ts'

/** E-mail address of the first owner until a real person is invited. Nobody can have this address (RFC 2606). */
const FIRST_OWNER = 'owner@weather.invalid'

/** What a program on the same machine needs to use this server. Stored in `$WEATHER_HOME/ready.json` while the server runs. */
interface Ready {
  base_url: string
  graphql_url: string
  console_url: string
  /** Link that signs the first team's owner in, once, within an hour. */
  sign_in_url: string | null
  pid: number
  token: string | null
  team_id: string | null
  operator_key: string | null
  sample: typeof sampleStorm | null
}

const roles = ['api', 'worker'] as const
type Role = (typeof roles)[number]
/** `--migrate --roles=none` migrates the database and exits. Run it once before several processes start. */
const NO_ROLE = 'none'

/** Command-line arguments. */
interface Arguments {
  migrate: boolean
  /** Applies row-level security to the owner of the tables too. */
  force_rows: boolean
  /** Gives the first team another token, and revokes the one before. */
  fresh_token: boolean
  roles: Role[]
  /** Undefined: all. */
  jobs: BuiltJob[] | undefined
}

/** The folder beside package.json, for the source and the bundle. */
const migrationsFolder = path.dirname(fileURLToPath(import.meta.resolve('#migrations/migration_lock.toml')))
/** Work in progress ends well before this. Orchestrators kill a process after 30 s. */
const STOP_TIMEOUT_MS = 28_000
/** Time to read and respond to requests that were in transit when the signal came. */
const LAST_REQUESTS_MS = 1000
/** Exit status if settings or arguments are invalid. Other faults exit with 1. */
const EXIT_BAD_SETTINGS = 2

/** The database in use, once the settings are read. The message of a failed start names it. */
let database: NamedDatabase | null = null

await serve().catch((fault) => {
  console.error(startupErrorText(fault, database) ?? fault)
  process.exit(fault instanceof BadSettings ? EXIT_BAD_SETTINGS : 1)
})

/** Opens the App and runs the requested roles until a signal comes or the parent program exits. Without a role it only migrates. */
async function serve(): Promise<void> {
  const args = readArguments()
  const config = await withPort(readConfig(process.env))
  await makeFolders(config, args)
  if (args.roles.includes('api')) await checkBasemap(config)
  if (args.migrate) {
    database = namedDatabase(config.database_migrate_url, config)
    await checkMigratedDatabase(config)
    await prepareDatabase(config, args.force_rows)
  }
  if (args.roles.length === 0) return
  const app = await openApp(config)
  database = namedDatabase(config.database_url, config)
  await checkDirectDatabase(app)
  for (const misspelled of misspelledSettings(process.env)) app.log.warn(misspelled, 'the environment has a name that is almost a setting')
  if (prints(args) && config.bucket) await checkBucket(app)
  app.metrics.watchProcess()
  declareGauges(app)
  const ring = await announceRing(app)
  await seedPlaces(app.pool)
  if (prints(args)) await signingKeys(app)
  const { firstTeam, hasSample } = await createSample(app, args)

  const api = args.roles.includes('api') ? await createApiServer(app) : null
  await api?.listen({ host: config.host, port: config.port }).catch(refusePort(config))
  const metricsServer = await openMetricsPort(app).catch(
    refusePort({ host: config.metrics_host, port: config.metrics_port ?? 0 }, 'METRICS_PORT'),
  )
  // Only now: a process that cannot have its ports takes no jobs, which would be cut off at its exit.
  const workers = args.roles.includes('worker') ? await startWorkers(app, args.jobs) : null

  const ready: Ready = {
    base_url: config.base_url,
    graphql_url: `${config.base_url}/graphql`,
    console_url: config.console_url,
    sign_in_url:
      api && firstTeam ? (await createOperatorLink(app, { team_id: firstTeam.team_id, email: FIRST_OWNER, role: 'owner' })).url : null,
    pid: process.pid,
    token: firstTeam?.token ?? null,
    team_id: firstTeam?.team_id ?? null,
    operator_key: config.operator_key,
    sample: hasSample ? sampleStorm : null,
  }
  // Handles signals before the server is announced as ready: an earlier signal would kill it without a clean stop.
  const stopSignal = waitForStopSignal()
  const file = path.join(config.home, 'ready.json')
  if (api) await writeReadyFile(file, ready)
  app.log.info({ base_url: config.base_url, roles: args.roles, metrics_port: metricsServer?.port }, 'ready')
  process.send?.({ serving: api ? ready : null })
  if (prints(args)) startBrowser(app)

  await stopSignal
  setTimeout(() => {
    app.log.warn('the stop took too long: open requests are cut off')
    process.exit(1)
  }, STOP_TIMEOUT_MS).unref()
  app.log.info('stopping')
  if (api) removeReadyFile(file, ready)
  const [ended] = await Promise.all([workers?.stop() ?? true, api && stopApi(api)])
  await ring.end()
  if (!ended) {
    app.log.warn('some jobs are cut off by the stop: another worker repeats them')
    process.exit(0)
  }
  await metricsServer?.close()
  await closeApp(app)
  process.exit(0)
}

/**
 * Creates missing folders and checks that they can be written to: the state folder for an API process, which writes ready.json there, the
 * document folder for a process that prints, and the folder of the agencies' files.
 */
async function makeFolders({ home, blobs, bucket, archive_files }: Config, args: Pick<Arguments, 'roles' | 'jobs'>): Promise<void> {
  const needed: [setting: string, folder: string][] = []
  if (args.roles.includes('api')) needed.push(['WEATHER_HOME', home])
  if (prints(args) && !bucket) needed.push(['WEATHER_BLOBS', blobs])
  if (typeof archive_files === 'string') needed.push(['ARCHIVE_FILES', archive_files])
  const faults: string[] = []
  for (const [setting, folder] of needed) {
    try {
      // ready.json contains a token and the operator key.
      await makeFolder(folder, setting === 'WEATHER_HOME' ? 0o700 : undefined)
      // Only a write detects a read-only disk; the permissions of the folder do not show it.
      const probe = path.join(folder, `.${randomUUID()}`)
      await writeFile(probe, '')
      await rm(probe, { force: true })
    } catch (fault) {
      faults.push(`${setting} ${folder} cannot be written to: ${reasonOf(fault)}`)
    }
  }
  if (faults.length > 0) throw new BadSettings(faults)
}

/** Fails the start if the basemap file is missing or unusable: later, only the map would show it. A basemap on a web server is not checked, because it may be available later. */
async function checkBasemap({ basemap }: Config): Promise<void> {
  if (basemap?.kind !== 'file') return
  try {
    await openArchive(fileRanges(basemap.path))
  } catch (fault) {
    const why = fault instanceof BadBasemap ? `cannot be used: ${fault.message}` : `cannot be read: ${reasonOf(fault)}`
    throw new BadSettings([`BASEMAP ${basemap.path} ${why}`])
  }
}

/** Fails the start if the bucket needs other settings. A bucket that is unavailable only now may be available when there is something to store. */
async function checkBucket({ blobs, log }: App): Promise<void> {
  try {
    await blobs.probe()
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault
    if (!fault.passing) throw new BadSettings([`WEATHER_BLOBS: ${fault.message}`])
    log.warn(fault.message)
  }
}

/** Creates folders one by one: Node's recursive mkdir never returns on a file system such as /proc, which accepts none. */
async function makeFolder(folder: string, mode?: number): Promise<void> {
  const make = () =>
    mkdir(folder, { mode }).catch((fault: NodeJS.ErrnoException) => {
      // Created by another process, or a file: the later write detects that.
      if (fault.code !== 'EEXIST') throw fault
    })
  await make().catch(async (fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'ENOENT' || path.dirname(folder) === folder) throw fault
    await makeFolder(path.dirname(folder))
    await make()
  })
}

/** Creates the first team and the made-up storm day if the settings ask for it, in one process at a time. */
async function createSample(
  app: App,
  options: Pick<Arguments, 'fresh_token'>,
): Promise<{ firstTeam: FirstTeam | null; hasSample: boolean }> {
  if (!app.config.sample) return { firstTeam: null, hasSample: false }
  return withSource(app, 'first start', async () => {
    const firstTeam = await createFirstTeam(app, options)
    const hasSample = await seedSample(app)
    if (hasSample) {
      await watchSample(app, firstTeam.team_id)
      await postSample(app, firstTeam.team_id)
      // Ensures that the first map view shows the sample: a browser would cache an empty tile for an hour.
      await refreshMaps(app)
    }
    return { firstTeam, hasSample }
  })
}

/** The database with the setting that names it: each of the last two settings stands for the one before it if it is not set. */
function namedDatabase(url: string, { database_url, database_direct_url }: Config): NamedDatabase {
  if (url === database_url) return { setting: 'DATABASE_URL', url }
  return { setting: url === database_direct_url ? 'DATABASE_DIRECT_URL' : 'DATABASE_MIGRATE_URL', url }
}

/**
 * Fails the start if DATABASE_DIRECT_URL cannot be used, or leads to another database than DATABASE_URL: imports, locks and notifications
 * would then be in one database, and everything else in the other.
 */
async function checkDirectDatabase({ pool, config }: App): Promise<void> {
  if (config.database_direct_url === config.database_url) return
  const pooled = await databaseIdentity(pool)
  database = namedDatabase(config.database_direct_url, config)
  const direct = await databaseIdentity(sessionPool(pool))
  database = namedDatabase(config.database_url, config)
  requireSameDatabase(namedDatabase(config.database_direct_url, config), direct, database, pooled)
}

/** @throws BadSettings if two settings lead to different databases */
function requireSameDatabase(
  { setting }: NamedDatabase,
  one: DatabaseIdentity,
  { setting: otherSetting }: NamedDatabase,
  other: DatabaseIdentity,
): void {
  if (isSameDatabase(one, other)) return
  const elsewhere = one.name === other.name ? ' on another server' : ''
  throw new BadSettings([
    `${setting} leads to the database ${one.name}, and ${otherSetting} to ${other.name}${elsewhere}: both must lead to the same one`,
  ])
}

/**
 * Fails before a migration of another database than the one that serves: it would end well, and the one that serves would stay as it was.
 * An address that cannot be used yet is not compared: the process that serves reports it.
 */
async function checkMigratedDatabase(config: Config): Promise<void> {
  const { database_migrate_url: migrate_url, database_direct_url, database_url } = config
  const others = [...new Set([database_direct_url, database_url])].filter((url) => url !== migrate_url)
  if (others.length === 0) return
  const migrated = await identityAt(migrate_url)
  for (const url of others) {
    // Before the first migration the serving role may not exist: the owner can see where its address leads. Its password goes to no other server.
    const asOwner = () => (isOfSameServer(migrate_url, url) ? identityAt(withRoleOf(migrate_url, url)).catch(() => null) : null)
    const serving = await identityAt(url).catch(asOwner)
    if (serving) requireSameDatabase(namedDatabase(migrate_url, config), migrated, namedDatabase(url, config), serving)
  }
}

/** Whether two addresses name the same host and port. */
function isOfSameServer(one: string, other: string): boolean {
  const [{ hostname, port }, second] = [new URL(one), new URL(other)]
  return hostname === second.hostname && (port || POSTGRES_PORT) === (second.port || POSTGRES_PORT)
}

const POSTGRES_PORT = '5432'

/** The address of a database, for the role of another address. */
function withRoleOf(roleUrl: string, databaseUrl: string): string {
  const { username, password } = new URL(roleUrl)
  return Object.assign(new URL(databaseUrl), { username, password }).href
}

/** Migrates the tables with the role that owns them, and grants the serving role its rights. */
async function prepareDatabase(config: Config, force_rows: boolean): Promise<void> {
  const { database_migrate_url, database_url, redis_url } = config
  const applied = await migrate(database_migrate_url, migrationsFolder)
  if (force_rows) await forceTeamRows(database_migrate_url)
  if (!redis_url) await migrateQueueOf(database_migrate_url)
  await grantService(database_migrate_url, database_url)
  openLog(config.log_level).info({ migrations: applied.length }, 'the database is migrated')
}

/** Whether this process prints documents. Only such a process signs, so only it needs the certificate. */
function prints({ roles, jobs }: Pick<Arguments, 'roles' | 'jobs'>): boolean {
  return roles.includes('worker') && (jobs === undefined || jobs.includes('report.render'))
}

async function stopApi(api: FastifyInstance): Promise<void> {
  await answerLastRequests(api.server)
  await api.close()
}

/** Accepts no more connections, but still responds to requests over open ones, and marks each connection as closing. */
async function answerLastRequests(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  // Closing the listener would reset connections that wait to be accepted: the event loop accepts them before this continues.
  await new Promise((accepted) => setImmediate(accepted))
  // close() of an HTTP server would cut idle connections immediately, and with them requests in transit.
  Server.prototype.close.call(server)
  await pause(LAST_REQUESTS_MS)
}

/** @throws BadSettings naming the invalid argument */
function readArguments(): Arguments {
  try {
    const { values } = parseArgs({
      options: {
        roles: { type: 'string', default: roles.join(',') },
        jobs: { type: 'string' },
        'except-jobs': { type: 'string' },
        migrate: { type: 'boolean', default: false },
        'force-rows': { type: 'boolean', default: false },
        'fresh-token': { type: 'boolean', default: false },
      },
    })
    const roleNames = values.roles === NO_ROLE ? [] : values.roles.split(',').map((role) => role.trim())
    const unknown = roleNames.find((role) => !roles.includes(role as Role))
    if (unknown !== undefined) throw new Error(`--roles must be of ${roles.join(', ')}, or ${NO_ROLE}, not '${unknown}'`)
    const jobs = jobsOf(values)
    refuseWithoutEffect(values, roleNames)
    const { migrate, 'force-rows': force_rows, 'fresh-token': fresh_token } = values
    return { migrate, force_rows, fresh_token, roles: roleNames as Role[], jobs }
  } catch (fault) {
    throw new BadSettings([(fault as Error).message])
  }
}

/** Refuses options that would be ignored: whoever gives one expects its effect. */
function refuseWithoutEffect(
  {
    migrate,
    'force-rows': force,
    jobs,
    'except-jobs': except,
  }: { migrate: boolean; 'force-rows': boolean; jobs?: string; 'except-jobs'?: string },
  roleNames: string[],
): void {
  if (force && !migrate) throw new Error('--force-rows needs --migrate: only a migration applies row-level security to the owner')
  if (roleNames.length === 0 && !migrate) throw new Error(`--roles=${NO_ROLE} needs --migrate: without it there is nothing to do`)
  const option = jobs === undefined ? '--except-jobs' : '--jobs'
  if ((jobs ?? except) !== undefined && !roleNames.includes('worker')) throw new Error(`${option} needs the role worker, which runs jobs`)
}

/** The named jobs, or all except the named ones; undefined for all. */
function jobsOf({ jobs, 'except-jobs': except }: { jobs?: string; 'except-jobs'?: string }): BuiltJob[] | undefined {
  const [option, text] = jobs === undefined ? (['--except-jobs', except] as const) : (['--jobs', jobs] as const)
  if (text === undefined) return undefined
  if (jobs !== undefined && except !== undefined) throw new Error('--jobs and --except-jobs exclude each other: give one of them')
  const named = text.split(',').map((name) => name.trim())
  const unknown = named.find((name) => !builtJobs.includes(name as BuiltJob))
  if (unknown !== undefined) throw new Error(`${option} must be of ${builtJobs.join(', ')}, not '${unknown}'`)
  return option === '--jobs' ? (named as BuiltJob[]) : builtJobs.filter((name) => !named.includes(name))
}

/** PORT=0 means any free port. It is chosen here, so that every link contains it. */
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
    if (fault.code === 'EACCES')
      throw new BadSettings([`${setting} ${port} needs more privileges than this user has: set a port above 1023`])
    if (fault.syscall === 'listen' || fault.syscall === 'getaddrinfo')
      throw new BadSettings([`${where} ${host} cannot be listened on: ${reasonOf(fault)}`])
    throw fault
  }
}

async function writeReadyFile(file: string, ready: Ready): Promise<void> {
  await writeFile(`${file}.draft`, textOf(ready), { mode: 0o600 })
  await rename(`${file}.draft`, file)
}

/** Removes the file, unless another process that serves from the same folder has written its own. */
function removeReadyFile(file: string, ready: Ready): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === textOf(ready)) rmSync(file, { force: true })
}

function textOf(ready: Ready): string {
  return JSON.stringify(ready, null, 2)
}

/** Resolves at the first signal, or when the channel to the parent program closes. */
function waitForStopSignal(): Promise<unknown> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    if (process.channel) process.on('disconnect', stop)
  })
}
