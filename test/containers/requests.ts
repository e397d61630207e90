import { setTimeout as pause } from 'node:timers/promises'
import { countBy, type Outcome, openProxy } from '../support/proxy.ts'
import type { Site } from './site.ts'

const ANSWERING_WITHIN_MS = 120_000
/** Milliseconds between two requests while containers are replaced: more than a thousand in all. */
const ASK_EVERY_MS = 100

/**
 * Sends requests to both API containers in turn, as a proxy does, during an action on them.
 * @returns how often each outcome came
 * @throws Error if a request failed
 */
export async function underRequests(site: Site, token: string, happen: () => Promise<unknown>): Promise<string> {
  const proxy = openProxy(site.base_urls, token)
  const outcomes: Outcome[] = []
  const body = { address: '33.1499, -96.8241', window_start: '2019-01-01', window_end: '2019-01-31' }
  let running = true
  const client = (async () => {
    for (let turn = 0; running; turn++) {
      outcomes.push(await proxy.ask(turn, turn % 20 === 0 ? { method: 'POST', path: '/reports', body } : {}))
      await pause(ASK_EVERY_MS)
    }
  })()
  try {
    await happen()
  } finally {
    running = false
    await client
  }
  const output = Object.entries(countBy(outcomes))
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ')
  if (outcomes.some((outcome) => outcome !== '200' && outcome !== '202')) throw new Error(`requests failed: ${output}`)
  return output
}

/** Waits until both API containers report that they are ready. */
export async function answering({ base_urls }: Site): Promise<void> {
  const until = Date.now() + ANSWERING_WITHIN_MS
  for (const url of base_urls)
    while (
      !(await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (Date.now() > until) throw new Error(`${url} is not ready`)
      await pause(500)
    }
}
