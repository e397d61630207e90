import { existsSync, readFileSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { exits, failure } from './failure.ts'

/** Where the service is and what opens it. */
export interface Connection {
  /** Without a trailing slash. */
  url: string
  token: string | null
  operator_key: string | null
}

type Environment = Record<string, string | undefined>

/**
 * The service to speak to. An address and the keys to it come from one place, so that a key never goes to a server that
 * it was not made for: WEATHER_URL, else the profile named, else the service that runs on this machine's state folder.
 * WEATHER_TOKEN and WEATHER_OPERATOR_KEY then take the place of that one's own.
 * @throws Failure where there is no service to be found
 */
export function readConnection(env: Environment, profile: string | undefined): Connection {
  const name = profile ?? (env.WEATHER_PROFILE || undefined)
  const found = env.WEATHER_URL && !profile ? { url: env.WEATHER_URL } : name ? readProfile(env, name) : readReady(env)
  if (!found.url || !URL.canParse(found.url))
    throw failure(exits.usage, `WEATHER_URL is not an address: set it to one such as http://127.0.0.1:4000`)
  return {
    url: found.url.replace(/\/+$/, ''),
    token: env.WEATHER_TOKEN || found.token || null,
    operator_key: env.WEATHER_OPERATOR_KEY || found.operator_key || null,
  }
}

interface Found {
  url?: string
  token?: string | null
  operator_key?: string | null
}

/** Permission bits of everyone but the owner. */
const OTHERS = 0o077

/** Profiles: {"name": {"url", "token", "operator_key"}} in the configuration folder, for the owner's eyes only. */
function readProfile(env: Environment, name: string): Found {
  const file = path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'weather', 'profiles.json')
  if (!existsSync(file)) throw failure(exits.usage, `There is no profile "${name}": ${file} does not exist.`)
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
    throw failure(exits.auth, `${file} holds tokens and can be read by others: run chmod 600 on it.`)
  const profiles = readJson(file) as Record<string, Found>
  const found = profiles[name]
  if (!found) throw failure(exits.usage, `There is no profile "${name}" in ${file}; it has ${Object.keys(profiles).join(', ') || 'none'}.`)
  return found
}

/** What a service on embedded defaults says of itself while it runs. */
function readReady(env: Environment): Found {
  const file = path.join(path.resolve(env.WEATHER_HOME || '.weather'), 'ready.json')
  if (!existsSync(file))
    throw failure(exits.failure, `No service is known: ${file} is not there. Start one with npm start, or set WEATHER_URL.`)
  const { base_url, token, operator_key } = readJson(file) as { base_url: string; token: string | null; operator_key: string | null }
  return { url: base_url, token, operator_key }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw failure(exits.failure, `${file} cannot be read as JSON.`)
  }
}
