import { setTimeout as pause } from 'node:timers/promises'

/**
 * A well-behaved client in a process of its own, so that no other work delays its clock. It sends a small request
 * again and again until it is stopped, then reports the times and statuses of its responses. Arguments: address of
 * the service, token.
 */
const [base_url, token] = process.argv.slice(2)
/** As often as a busy screen sends requests. */
const EVERY_MS = 50
const paths = ['/account', '/reports?per_page=10', '/properties?per_page=10', '/exposures?per_page=10', '/tiles/4/3/6.mvt']

/** The responses that it got. */
export interface Served {
  requests: number
  refused: number
  slowest_ms: number
  /** 99 of 100 were faster. */
  p99_ms: number
}

const times: number[] = []
let refused = 0
let stopped = false
process.once('message', () => {
  stopped = true
})
process.send?.('ready')
for (let at = 0; !stopped; at++) {
  const startedAt = performance.now()
  const answer = await fetch(`${base_url}/api/v1${paths[at % paths.length]}`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  times.push(performance.now() - startedAt)
  if (!answer.ok) refused += 1
  await pause(EVERY_MS)
}
times.sort((a, b) => a - b)
const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
const served: Served = { requests: times.length, refused, slowest_ms: at(1), p99_ms: at(0.99) }
process.send?.(served, () => process.disconnect())
