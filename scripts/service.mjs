import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { takeLock } from './lock.mjs'
import { at } from './root.mjs'
import { readSecrets } from './secrets.mjs'
import { say, step } from './steps.mjs'
import { welcome } from './welcome.mjs'

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** How often it is looked whether npm, which passes on no signal that ends it, is still there. */
const LOOK_MS = 1000

/**
 * Starts PostgreSQL unless DATABASE_URL names one, and serves until asked to stop.
 * @param {string[]} args of the server
 * @param {{ home: string, program: string, prepare?: (signal: AbortSignal) => Promise<void> }} options home: the state folder;
 * program: how a terminal beside this one begins; prepare: what comes first
 * @returns {Promise<number>} the exit status
 */
export async function startService(args, { home, program, prepare = async () => {} }) {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const lock = takeLock(path.join(home, 'lock'))
  if ('holder' in lock) {
    console.error(`A service already runs on ${home} (process ${lock.holder}). Stop it first, or set WEATHER_HOME to another folder.`)
    return 1
  }
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of STOPPING) process.on(signal, stop)
  if (process.env.npm_lifecycle_event) whenLeftAlone(stop)
  let postgres = null
  try {
    say('Weather Report Service')
    await prepare(stopping.signal)
    const env = { ...process.env, WEATHER_HOME: home }
    // Read already: beside the folder itself the server would take it for a second one.
    if (!process.env.WEATHER_HOME) delete env.WEATHER_HOME_FILE
    if (!isSet('DATABASE_URL') && !stopping.signal.aborted) {
      const { startPostgres } = await import('./postgres.mjs')
      postgres = await step('PostgreSQL', () => startPostgres(home, { durable: true }))
      Object.assign(env, await embeddedDefaults(home, postgres))
    }
    if (stopping.signal.aborted) return 0
    const began = performance.now()
    return await follow(
      process.execPath,
      [
        '--enable-source-maps',
        '--max-semi-space-size=32',
        at('dist/serve.js'),
        '--migrate',
        ...(postgres ? ['--force-rows'] : []),
        ...args,
      ],
      env,
      stopping.signal,
      ({ serving }) => {
        say(`  ${'server'.padEnd(12)} ${((performance.now() - began) / 1000).toFixed(1)} s`)
        welcome(serving, home, program).catch((fault) => say(`The sample's report could not be shown: ${fault.message}`))
      },
    )
  } finally {
    await postgres?.stop()
    lock.release()
  }
}

/** Another process becomes the parent of one whose own has ended. */
function whenLeftAlone(stop) {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    stop()
  }, LOOK_MS)
  look.unref()
}

/** What the server is reported where no DATABASE_URL is set; a setting that is set keeps its value. */
async function embeddedDefaults(home, postgres) {
  const { WEATHER_SECRET_KEY, WEATHER_OPERATOR_KEY } = readSecrets(home)
  const unlessSet = Object.entries({ WEATHER_SECRET_KEY, WEATHER_OPERATOR_KEY, WEATHER_SAMPLE: '1', LOG_LEVEL: 'warn' })
  return {
    DATABASE_MIGRATE_URL: await postgres.database('weather'),
    DATABASE_URL: postgres.serving('weather'),
    ...Object.fromEntries(unlessSet.filter(([name]) => !isSet(name))),
  }
}

/** By itself, or by the file that it stands in. */
function isSet(name) {
  return Boolean(process.env[name] || process.env[`${name}_FILE`])
}

/**
 * Runs a program of ours to its end and resolves to its exit status. The channel between the two signals to the program when
 * this one is gone, however it went, and brings what the program has to say.
 */
export function follow(command, args, env, stopping, hear = (_message) => {}) {
  const child = spawn(command, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  child.on('message', hear)
  const stop = () => child.kill('SIGTERM')
  stopping?.addEventListener('abort', stop)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
