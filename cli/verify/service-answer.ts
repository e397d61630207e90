import { ANSWER_MS, parse, readBody, send, statusOf } from '../api.ts'
import { exits, failure } from '../failure.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import type { ReadTile } from '../log/consistency.ts'
import { fetchCheckpoint, fetchTile } from '../log/service-log.ts'
import { type PublishedKey, readKeys } from './keys.ts'

/** A service's response about a fingerprint, and its published keys. No token is needed. */
export interface ServiceAnswer {
  /** Its URL, without a trailing slash. */
  url: string
  report_status: 'held' | 'withdrawn' | 'unknown'
  /** Empty if the service publishes none. */
  keys: PublishedKey[]
  /** Its log, read on demand. */
  log: { checkpoint(): Promise<Checkpoint>; tile: ReadTile }
}

/** Path of a service's public keys. */
const KEYS_PATH = '/.well-known/jwks.json'

/** @throws Failure if the service is unreachable or was asked too often, or its response has another format */
export async function askService(url: string, fingerprint: string): Promise<ServiceAnswer> {
  const statement = await get(url, `/verify/${fingerprint}`, 'application/json')
  if (statement.status === 429) throw failure(exits.rate_limited, `${url} was asked too often. Try again in a minute.`)
  if (statement.status !== 200 && statement.status !== 404) throw unexpected(url, statement.status)
  const { standing } = parse(statement.text, statement.status) as { standing?: string }
  if (statement.status === 200 && standing !== 'held' && standing !== 'withdrawn') throw unexpected(url, statement.status)
  const keys = await get(url, KEYS_PATH, 'application/json')
  return {
    url,
    report_status: statement.status === 404 ? 'unknown' : (standing as 'held' | 'withdrawn'),
    keys: keys.status === 200 ? readKeys(keys.text, url + KEYS_PATH, exits.failure) : [],
    log: { checkpoint: () => fetchCheckpoint(url), tile: (level, index, width) => fetchTile(url, level, index, width) },
  }
}

/**
 * Fetches the keys at a URL, which is that of the list itself or of the service.
 * @throws Failure if it is unreachable, or its response is something else, such as a proxy's page
 */
export async function fetchKeys(address: string): Promise<PublishedKey[]> {
  const { origin, pathname, search } = new URL(address)
  const path = pathname.endsWith('.json') ? pathname + search : `${pathname.replace(/\/+$/, '')}${KEYS_PATH}`
  const { status, text } = await get(origin, path, 'application/json')
  if (status !== 200) throw unexpected(address, status)
  return readKeys(text, address, exits.failure)
}

async function get(url: string, path: string, accept: string): Promise<{ status: number; text: string }> {
  const { answer } = await send(url, 'GET', path, { accept }, null, ANSWER_MS)
  return { status: statusOf(answer), text: await readBody(answer) }
}

const unexpected = (url: string, status: number) =>
  failure(exits.failure, `The response of ${url} (${status}) is not from a weather report service.`)
