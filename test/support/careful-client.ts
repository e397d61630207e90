import { setTimeout as pause } from 'node:timers/promises'
import { sampleStorm } from '#domain/archive/sample/seed.ts'

/**
 * A client that requests a report under an idempotency key of its own from one of the API processes, and retries
 * until it gets a response.
 */
export interface CarefulClient {
  /** Requests this many reports, with a limit on how many at once; returns their ids. */
  ask(count: number, at_once: number): Promise<string[]>
  /** Asks every process again under the keys of the last reports, as many as given; returns the ids that they respond with. */
  askAgain(count: number): Promise<string[]>
  /** How many requests were cut off or failed through a fault of the service. */
  repeated: number
}

const ANSWER_WITHIN_MS = 15_000
/** Longer than any outage of these tests. */
const RETRY_TIMEOUT_MS = 180_000
const RETRY_AFTER_MS = 150

/** @param within_ms a request without a response after this time is retried: a proxy in front would try another process */
export function carefulClient(base_urls: readonly string[], token: string, name = 'report', within_ms = ANSWER_WITHIN_MS): CarefulClient {
  const { address, window_start, window_end } = sampleStorm
  const body = JSON.stringify({ address, window_start, window_end })
  let sent = 0
  const client: CarefulClient = { ask, askAgain, repeated: 0 }
  return client

  async function ask(count: number, at_once: number): Promise<string[]> {
    const ids: string[] = []
    const ends = sent + count
    const one = async () => {
      while (sent < ends) ids.push(await postWithRetries(`${name}-${sent++}`))
    }
    await Promise.all(Array.from({ length: at_once }, one))
    return ids
  }

  async function askAgain(count: number): Promise<string[]> {
    const ids = new Set<string>()
    for (let nth = sent - count; nth < sent; nth++) {
      for (const base_url of base_urls) {
        const answer = await post(base_url, `${name}-${nth}`)
        ids.add(((await answer.json()) as { data: { id: string } }).data.id)
      }
    }
    return [...ids]
  }

  async function postWithRetries(key: string): Promise<string> {
    const until = Date.now() + RETRY_TIMEOUT_MS
    let last = ''
    for (let turn = sent; Date.now() < until; turn++) {
      const answer = await post(base_urls[turn % base_urls.length] as string, key).catch((fault: Error) => {
        last = String(fault.cause ?? fault)
        return null
      })
      if (answer && (answer.status === 202 || answer.status === 200)) return ((await answer.json()) as { data: { id: string } }).data.id
      if (answer && answer.status < 500 && answer.status !== 409) throw new Error(`${answer.status} ${await answer.text()}`)
      if (answer) last = `${answer.status} ${await answer.text()}`
      client.repeated++
      await pause(RETRY_AFTER_MS)
    }
    throw new Error(`no answer came; the last was ${last}`)
  }

  function post(base_url: string, key: string): Promise<Response> {
    return fetch(`${base_url}/api/v1/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body,
      signal: AbortSignal.timeout(within_ms),
    })
  }
}
