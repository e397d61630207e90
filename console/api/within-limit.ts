import { ApiError } from './session.ts'

/** The limit of requests counts a minute: within seven tries there is room again. */
const TRIES = 7
const WAIT_MS = 10_000

/** Asks again while the limit of requests is reached. */
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
