import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { takeLock } from './lock.mjs'
import { fromRoot } from './root.mjs'
import { readSecrets } from './secrets.mjs'
import { say, step } from './steps.mjs'
import { welcome } from './welcome.mjs'

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** How often to check that npm still runs: npm does not pass on the signal that ends it. */
const CHECK_INTERVAL_MS = 1000

/**
 * Starts PostgreSQL unless DATABASE_URL names one, and serves until it is stopped.
 * @param {string[]} args of the server
 * @param {{ home: string, program: string, prepare?: (signal: AbortSignal) => Promise<void> }} options home: the state folder;
 * program: how to run the terminal program in another terminal; prepare: runs first
 * @returns {Promise<number>} the exit status
 */
export async function startService(args, { home, program, prepare = async () => {} }) {
  const needless = isSet('DATABASE_URL') ? [] : WITH_DATABASE_URL.filter(isSet)
  if (needless.length > 0) {
    const sentences = needless.map((name) => `  ${name} needs DATABASE_URL, and has no effect without it`)
    console.error(['Settings that cannot be used:', ...sentences].join('\n'))
    return EXIT_BAD_SETTINGS
  }
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const lock = takeLock(path.join(home, 'lock'))
  if ('holder' in lock) {
    console.error(`A service already runs on ${home} (process ${lock.holder}). Stop it first, or set WEATHER_HOME to another folder.`)
    return 1
  }
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of STOPPING) process.on(signal, stop)
  if (process.env.npm_lifecycle_event) onParentExit(stop)
  let postgres = null
  try {
    say('Weather Report Service')
    await prepare(stopping.signal)
    const env = { ...process.env, WEATHER_HOME: home }
    // The file has been read already: together with WEATHER_HOME the server would report a duplicate setting.
    if (!process.env.WEATHER_HOME) delete env.WEATHER_HOME_FILE
    if (!isSet('DATABASE_URL') && !stopping.signal.aborted) {
      const { startPostgres } = await import('./postgres.mjs')
      postgres = await step('PostgreSQL', () => startPostgres(home, { durable: true }))
      Object.assign(env, await embeddedDefaults(home, postgres))
    }
    if (stopping.signal.aborted) return 0
    const startedAt = performance.now()
    return await runChild(
      process.execPath,
      [
        '--enable-source-maps',
        '--max-semi-space-size=32',
        fromRoot('dist/serve.js'),
        '--migrate',
        ...(postgres ? ['--force-rows', '--fresh-token'] : []),
        ...args,
      ],
      env,
      stopping.signal,
      ({ serving }) => {
        say(`  ${'server'.padEnd(12)} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
        welcome(serving, home, program).catch((fault) => say(`The sample's report could not be shown: ${fault.message}`))
      },
    )
  } finally {
    await postgres?.stop()
    lock.release()
  }
}

/** Settings of a database that somebody else runs: for the service's own they would be ignored, or keep it from starting. */
const WITH_DATABASE_URL = [
  'DATABASE_PASSWORD',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_MIGRATE_URL',
  'DATABASE_MIGRATE_PASSWORD',
]
/** The same exit status as that of serve.ts. */
const EXIT_BAD_SETTINGS = 2

/** A process whose parent has exited gets another parent. */
function onParentExit(stop) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, CHECK_INTERVAL_MS)
  timer.unref()
}

/** Settings for the server if DATABASE_URL is not set. Existing settings keep their values. */
async function embeddedDefaults(home, postgres) {
  const { WEATHER_SECRET_KEY, WEATHER_OPERATOR_KEY } = readSecrets(home)
  const unlessSet = Object.entries({ WEATHER_SECRET_KEY, WEATHER_OPERATOR_KEY, WEATHER_SAMPLE: '1', LOG_LEVEL: 'warn' })
  return {
    DATABASE_MIGRATE_URL: await postgres.database('weather'),
    DATABASE_URL: postgres.serving('weather'),
    ...Object.fromEntries(unlessSet.filter(([name]) => !isSet(name))),
  }
}

/** Whether a setting is set directly, or through a file. */
function isSet(name) {
  return Boolean(process.env[name] || process.env[`${name}_FILE`])
}

/**
 * Runs a child program and resolves to its exit status. The channel between the two processes shows the program when
 * this one is gone, however it ended, and carries the program's messages.
 */
export function runChild(command, args, env, stopping, onMessage = (_message) => {}) {
  const child = spawn(command, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  child.on('message', onMessage)
  const stop = () => child.kill('SIGTERM')
  stopping?.addEventListener('abort', stop)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
