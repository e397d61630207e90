import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { retryLater } from '../../console/api/retry-later.ts'
import { ApiError } from '../../console/api/session.ts'

const limited = () => new ApiError(429, 'rate_limited', 'Too many requests.', {}, null, null, 3)
const unavailable = (retry_after: number | null) => new ApiError(503, 'engine_unavailable', 'Not now.', {}, null, null, retry_after)
const inFlight = () => new ApiError(409, 'idempotency_in_flight', 'Still at work.', {}, null, null, 1)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that fails with these errors, one at a time, and then succeeds. */
const failing = (...faults: Error[]) => vi.fn(async () => (faults.length > 0 ? Promise.reject(faults.shift()) : 'done'))
const always = (fault: Error) => vi.fn(() => Promise.reject(fault))

async function outcomeOf(request: Promise<string>): Promise<{ outcome: string; seconds: number }> {
  const began = Date.now()
  const outcome = request.catch((fault: Error) => fault.message)
  await vi.runAllTimersAsync()
  return { outcome: await outcome, seconds: (Date.now() - began) / 1000 }
}

it('work of many requests waits as long as an unavailable service asks for, says so, and goes on', async () => {
  const sentences: (string | null)[] = []
  const request = retryLater(failing(unavailable(5), limited(), inFlight()), (sentence) => sentences.push(sentence))
  expect(await outcomeOf(request)).toEqual({ outcome: 'done', seconds: 16 })
  expect(sentences).toEqual([
    'The service is unavailable. The next try is in 5 s.',
    null,
    'The limit of requests per minute is reached. The next try is in 10 s.',
    null,
    'The last rows are still being saved. The next try is in 1 s.',
    null,
  ])
})

it('it gives up after five minutes, or at once if it would have to wait longer', async () => {
  const onWait = () => {}
  expect(await outcomeOf(retryLater(always(unavailable(60)), onWait))).toEqual({ outcome: 'Not now.', seconds: 300 })
  expect(await outcomeOf(retryLater(always(unavailable(3600)), onWait))).toEqual({ outcome: 'Not now.', seconds: 0 })
})

it('what somebody looks at waits a minute for the rate limit, and not for an unavailable service', async () => {
  expect(await outcomeOf(retryLater(always(limited())))).toEqual({ outcome: 'Too many requests.', seconds: 60 })
  expect(await outcomeOf(retryLater(failing(unavailable(5))))).toEqual({ outcome: 'Not now.', seconds: 0 })
})

const lost = () => new ApiError(0, 'offline', 'No network.', {}, null)
const proxied = (status: number) => new ApiError(status, 'unavailable', 'A proxy is away.', {}, null)

it('work that can be done twice also waits for a lost network and a proxy without the service, for five minutes', async () => {
  const sentences: (string | null)[] = []
  const request = retryLater(failing(lost(), proxied(502), proxied(503), proxied(504)), (sentence) => sentences.push(sentence), true)
  expect(await outcomeOf(request)).toEqual({ outcome: 'done', seconds: 40 })
  expect(sentences[0]).toBe('The service is unavailable. The next try is in 10 s.')
  expect(await outcomeOf(retryLater(always(lost()), () => {}, true))).toEqual({ outcome: 'No network.', seconds: 300 })
  expect(await outcomeOf(retryLater(always(proxied(500)), () => {}, true))).toEqual({ outcome: 'A proxy is away.', seconds: 0 })
})

it('a request that takes long itself counts among the five minutes', async () => {
  const work = vi.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 120_000))
    throw lost()
  })
  expect(await outcomeOf(retryLater(work, () => {}, true))).toEqual({ outcome: 'No network.', seconds: 380 })
  expect(work).toHaveBeenCalledTimes(3)
})

it('other errors are not repeated', async () => {
  const work = always(new ApiError(503, 'unavailable', 'A proxy is away.', {}, null))
  expect(await outcomeOf(retryLater(work, () => {}))).toEqual({ outcome: 'A proxy is away.', seconds: 0 })
  expect(await outcomeOf(retryLater(always(new Error('A fault.')), () => {}))).toEqual({ outcome: 'A fault.', seconds: 0 })
  expect(work).toHaveBeenCalledTimes(1)
})
