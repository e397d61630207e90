import { ApiError } from './session.ts'

/** The rate limit is per minute: seven tries, 10 seconds apart, cover that minute. */
const MAX_ATTEMPTS = 7
const WAIT_MS = 10_000

/** Retries while the rate limit is exceeded (429). */
export async function retryRateLimited<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.status !== 429 || attempt === MAX_ATTEMPTS) throw fault
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
