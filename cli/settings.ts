import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { exits, failure } from './failure.ts'
import { unreadable } from './file-fault.ts'
import { replaceFile } from './replace-file.ts'
import { shellWord } from './shell-word.ts'

/** URL of the service, and its token and key. */
export interface Connection {
  /** Without a trailing slash. */
  url: string
  token: string | null
  operator_key: string | null
  /** By default the policy of commands. The screens, which are interactive, retry less. */
  retry?: RetryPolicy
}

/** Timeout of a response, and retries of lost requests. */
export interface RetryPolicy {
  within_ms: number
  /** The pause before each retry. */
  pauses_ms: readonly number[]
}

type Environment = Record<string, string | undefined>

/**
 * Finds the service to connect to. A URL and its keys come from one place, so that a key is never sent to a server that
 * it was not made for. The places are, in order: the profile given as an option, WEATHER_URL with the saved profile of this URL if
 * there is one, the profile of WEATHER_PROFILE, the service that runs on this folder's state folder, and the profile that `login`
 * writes without a name.
 * WEATHER_TOKEN and WEATHER_OPERATOR_KEY, or the files that WEATHER_TOKEN_FILE and WEATHER_OPERATOR_KEY_FILE name, override its keys.
 * @throws Failure if no service is found
 */
export function readConnection(env: Environment, profile: string | undefined): Connection {
  const found = readService(env, profile)
  return {
    url: found.url,
    token: settingIn(env, 'WEATHER_TOKEN') || found.token || null,
    operator_key: settingIn(env, 'WEATHER_OPERATOR_KEY') || found.operator_key || null,
  }
}

/**
 * A token or key without spaces around it, ready for a header.
 * @param name what it is, for messages
 * @throws Failure if it has characters that no key of a service has, such as a line break within
 */
export function fitForHeader(key: string, name: string): string {
  const trimmed = key.trim()
  if (!/^[!-~]+$/.test(trimmed))
    throw failure(exits.auth, `The ${name} has characters that no ${name} has, such as spaces or line breaks: copy it again.`)
  return trimmed
}

/** Whether it is an address of a service: localhost:4000 is not one, because it lacks http://. */
export const isServiceUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** The value of --service, without trailing slashes. @throws Failure if it is not the address of a service */
export function serviceNamed(url: string): string {
  if (!isServiceUrl(url)) throw failure(exits.usage, '--service must be an address such as https://weather.example.com')
  return withoutSlash(url)
}

function readService(env: Environment, profile: string | undefined): Service {
  const name = profile ?? (env.WEATHER_PROFILE || undefined)
  if (!env.WEATHER_URL || profile) return name ? readProfile(env, name) : readDefault(env)
  const named = serviceFrom({ url: env.WEATHER_URL }, 'WEATHER_URL is not a URL: set it to one such as http://127.0.0.1:4000')
  return { ...profileOf(env, named.url, name), ...named }
}

/** Removes trailing slashes of a URL. @throws Failure with this message if it is not a URL */
function serviceFrom({ url, ...keys }: Profile, message: string): Service {
  if (!url || !isServiceUrl(url)) throw failure(exits.usage, message)
  return { ...keys, url: withoutSlash(url) }
}

/** The form in which URLs of services are stored and compared. */
export const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** The saved profile of a service: the named one, the one without a name, or the only one. Several others leave it open. */
function profileOf(env: Environment, url: string, name: string | undefined): Profile | undefined {
  const profiles = existsSync(profilesFile(env)) ? readProfiles(env) : {}
  const names = Object.keys(profiles).filter((one) => withoutSlash(profiles[one]?.url ?? '') === url)
  const preferred = names.find((one) => one === name) ?? names.find((one) => one === DEFAULT_PROFILE)
  const chosen = preferred ?? (names.length === 1 ? names[0] : undefined)
  return chosen === undefined ? undefined : profiles[chosen]
}

/** A setting from the environment, or from the file that it names. @throws Failure if the file cannot be read */
export function settingIn(env: Environment, name: 'WEATHER_TOKEN' | 'WEATHER_OPERATOR_KEY' | 'WEATHER_HOME'): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file || env[name]) return env[name]
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (fault) {
    throw failure(exits.usage, `${name}_FILE: ${unreadable(file, fault).message}`)
  }
}

/** The profile of a login without a name. */
export const DEFAULT_PROFILE = 'default'

/** Saves a profile, readable only by the owner. @returns the file */
export function writeProfile(env: Environment, name: string, found: { url: string; token: string }): string {
  return changeProfiles(env, (profiles) => ({ ...profiles, [name]: { ...profiles[name], ...found } }))
}

/** @returns whether there was such a profile */
export function removeProfile(env: Environment, name: string): boolean {
  if (!existsSync(profilesFile(env)) || !readProfiles(env)[name]) return false
  changeProfiles(env, ({ [name]: _, ...others }) => others)
  return true
}

/** Whether a service announces that it runs on the state folder. It takes precedence over the default profile. */
export const runsHere = (env: Environment) => existsSync(readyFile(env))

type Profiles = Record<string, Profile>

function changeProfiles(env: Environment, change: (profiles: Profiles) => Profiles): string {
  const file = profilesFile(env)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${JSON.stringify(change(existsSync(file) ? readProfiles(env) : {}), null, 2)}\n`, 0o600)
  return file
}

interface Profile {
  url?: string
  token?: string | null
  operator_key?: string | null
}

/** A profile with a valid URL, without a trailing slash. */
type Service = Profile & { url: string }

/** Permission bits of everyone but the owner. */
const OTHERS = 0o077

/** Profiles: {"name": {"url", "token", "operator_key"}} in the configuration folder, readable only by the owner. */
const profilesFile = (env: Environment) => path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'weather', 'profiles.json')

function readProfiles(env: Environment): Profiles {
  const file = profilesFile(env)
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
    throw failure(exits.auth, `${file} contains tokens and other users can read it: run chmod 600 on it.`)
  return readJson(file) as Profiles
}

function readProfile(env: Environment, name: string): Service {
  const file = profilesFile(env)
  if (!existsSync(file)) throw failure(exits.usage, `There is no profile "${name}": ${file} does not exist.`)
  const profiles = readProfiles(env)
  const found = profiles[name]
  if (!found) throw failure(exits.usage, `There is no profile "${name}" in ${file}; it has ${Object.keys(profiles).join(', ') || 'none'}.`)
  return serviceOf(found, name, file)
}

const serviceOf = (profile: Profile, name: string, file: string) =>
  serviceFrom(profile, `The profile "${name}" in ${file} has no valid url: weather login --url ADDRESS --profile ${shellWord(name)}`)

const readyFile = (env: Environment) => path.join(path.resolve(settingIn(env, 'WEATHER_HOME') || '.weather'), 'ready.json')

function readDefault(env: Environment): Service {
  if (runsHere(env)) return readReady(readyFile(env))
  const profile = existsSync(profilesFile(env)) ? readProfiles(env)[DEFAULT_PROFILE] : undefined
  if (profile) return serviceOf(profile, DEFAULT_PROFILE, profilesFile(env))
  throw failure(
    exits.failure,
    `No service found: ${readyFile(env)} does not exist. Start one with npm start, run weather login, or set WEATHER_URL.`,
  )
}

/** Reads the file in which a service on embedded defaults announces itself while it runs. */
function readReady(file: string): Service {
  const { base_url, token, operator_key } = readJson(file) as { base_url: string; token: string | null; operator_key: string | null }
  return serviceFrom({ url: base_url, token, operator_key }, `${file} has no valid base_url: start the service again.`)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw failure(exits.failure, `${file} cannot be read as JSON.`)
  }
}
