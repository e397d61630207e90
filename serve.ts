import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { createServer, Server } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { seatFirstTeam } from '#domain/access/first-team.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { BadSettings, type Config, readConfig } from '#domain/config.ts'
import { migrate } from '#domain/engines/migrations.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { postSample } from '#domain/integrations/sample.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { openApi } from '#rest/host.ts'
import { openMetricsPort } from '#rest/metrics.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import { startWorkers } from '#workers/main.ts'

/** What a program on the same machine needs to use this server: `$WEATHER_HOME/ready.json`, there only while it serves. */
interface Ready {
  base_url: string
  graphql_url: string
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

/** Beside package.json, from the source and from the bundle alike. */
const migrations = path.dirname(fileURLToPath(import.meta.resolve('#migrations/migration_lock.toml')))
/** Everything in flight has ended well before; an orchestrator's kill comes at 30 s. */
const STOP_WITHIN_MS = 28_000
/** A request that was underway when the signal came has been read and answered by then. */
const LAST_REQUESTS_MS = 1000
/** Exit status of a start refused for its settings or arguments, as distinct from a fault (1). */
const REFUSED = 2

await serve().catch((fault) => {
  const refused = fault instanceof BadSettings
  console.error(refused ? `Settings that cannot be used:\n${fault.faults.map((line) => `  ${line}`).join('\n')}` : fault)
  process.exit(refused ? REFUSED : 1)
})

/** Opens the App and starts the roles asked for, until a signal, or the end of the program that started this one. With no role it migrates only. */
async function serve(): Promise<void> {
  const wanted = readArguments()
  const config = await withPort(readConfig(process.env))
  if (wanted.migrate) await migrate(config.database_url, migrations)
  if (wanted.roles.length === 0) return
  const app = await openApp(config)
  app.metrics.watchProcess()
  await seedPlaces(app.pool)
  const seat = config.sample ? await seatFirstTeam(app) : null
  const sampleIsHeld = seat !== null && (await seedSample(app))
  if (seat && sampleIsHeld) {
    await watchSample(app, seat.team_id)
    await postSample(app, seat.team_id)
  }
  // The first look at the map shows the sample; a browser would keep an empty tile for an hour.
  if (sampleIsHeld) await refreshMaps(app)

  const workers = wanted.roles.includes('worker') ? await startWorkers(app, wanted.jobs) : null
  const api = wanted.roles.includes('api') ? await openApi(app) : null
  await api?.listen({ host: config.host, port: config.port }).catch(refusePort(config))
  const figures = await openMetricsPort(app).catch(
    refusePort({ host: config.metrics_host, port: config.metrics_port ?? 0 }, 'METRICS_PORT'),
  )

  const ready: Ready = {
    base_url: config.base_url,
    graphql_url: `${config.base_url}/graphql`,
    pid: process.pid,
    token: seat?.token ?? null,
    team_id: seat?.team_id ?? null,
    operator_key: config.operator_key,
    sample: sampleIsHeld ? sampleStorm : null,
  }
  const file = path.join(config.home, 'ready.json')
  if (api) await announce(file, ready)
  app.log.info({ base_url: config.base_url, roles: wanted.roles, metrics_port: figures?.port }, 'ready')
  process.send?.({ serving: api ? ready : null })

  await toldToStop()
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  app.log.info('stopping')
  if (api) rmSync(file, { force: true })
  await Promise.all([api && stopApi(api), workers?.stop()])
  await figures?.close()
  await closeApp(app)
  process.exit(0)
}

async function stopApi(api: FastifyInstance): Promise<void> {
  await answerLastRequests(api.server)
  await api.close()
}

/** Takes no more connections, and still answers what comes over those that stand, telling their clients that it is the last. */
async function answerLastRequests(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  // Connections that wait to be accepted would be reset with the listener: the loop takes all of them before it comes here.
  await new Promise((accepted) => setImmediate(accepted))
  // The close of an HTTP server would cut off idle connections at once, and with them requests that are on their way.
  Server.prototype.close.call(server)
  await pause(LAST_REQUESTS_MS)
}

/** @throws BadSettings naming the argument that cannot be used */
function readArguments(): { migrate: boolean; roles: Role[]; jobs: BuiltJob[] | undefined } {
  try {
    const { values } = parseArgs({
      options: {
        roles: { type: 'string', default: roles.join(',') },
        jobs: { type: 'string' },
        migrate: { type: 'boolean', default: false },
      },
    })
    const asked = values.roles === NO_ROLE ? [] : values.roles.split(',').map((role) => role.trim())
    const unknown = asked.find((role) => !roles.includes(role as Role))
    if (unknown !== undefined) throw new Error(`--roles must be of ${roles.join(', ')}, or ${NO_ROLE}, not '${unknown}'`)
    const jobs = values.jobs?.split(',').map((name) => name.trim())
    const unbuilt = jobs?.find((name) => !builtJobs.includes(name as BuiltJob))
    if (unbuilt !== undefined) throw new Error(`--jobs must be of ${builtJobs.join(', ')}, not '${unbuilt}'`)
    return { migrate: values.migrate, roles: asked as Role[], jobs: jobs as BuiltJob[] | undefined }
  } catch (fault) {
    throw new BadSettings([(fault as Error).message])
  }
}

/** PORT=0 asks for any free port: it is drawn here, so that every link carries it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer().listen(0, config.host)
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  await new Promise((resume) => probe.close(resume))
  return { ...config, port, base_url: config.base_url.replace(/:0$/, `:${port}`) }
}

function refusePort({ host, port }: Pick<Config, 'host' | 'port'>, setting = 'PORT') {
  return (fault: NodeJS.ErrnoException): never => {
    if (fault.code === 'EADDRINUSE') throw new BadSettings([`${setting} ${port} is in use on ${host}: set another`])
    throw fault
  }
}

async function announce(file: string, ready: Ready): Promise<void> {
  await writeFile(`${file}.draft`, JSON.stringify(ready, null, 2), { mode: 0o600 })
  await rename(`${file}.draft`, file)
}

/** Resolves at the first signal, or when the channel to the program that started this one closes. */
function toldToStop(): Promise<unknown> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    if (process.channel) process.on('disconnect', stop)
  })
}
