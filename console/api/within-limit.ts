import { ApiError } from './session.ts'

/** The rate limit is per minute: seven tries, 10 seconds apart, cover that minute. */
const TRIES = 7
const WAIT_MS = 10_000

/** Retries while the rate limit is exceeded (429). */
export async function withinLimit<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.status !== 429 || tried === TRIES) throw fault
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
