import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { exits, type Failure, failure, retryAfterOf } from '../failure.ts'
import { liveLine } from '../format.ts'
import type { Answer } from '../service.ts'
import { numberFrom } from './command.ts'

/**
 * Polls until the response is accepted or the time is over, with a progress line, which is the service's own message while it is busy.
 * Respects Retry-After, also that of a service that is busy.
 * @throws Failure with the exit status of a pending wait if the service was busy to the end
 */
export async function pollUntil<T extends Answer>(
  timeout: number,
  progress: (seconds: number) => string,
  poll: () => Promise<T>,
  isDone: (answer: T) => boolean,
): Promise<T> {
  const startedAt = Date.now()
  const live = liveLine()
  try {
    for (;;) {
      const { answer, busy, retry_after } = await answerOrBusy(poll)
      const waited = (Date.now() - startedAt) / 1000
      const wait = retry_after || POLL_SECONDS
      const isOver = waited + wait > timeout
      if (answer && (isOver || isDone(answer))) return answer
      if (busy && isOver) throw failure(exits.pending, busy)
      live.show(busy ?? progress(Math.round(waited)))
      await pause(wait * 1000)
    }
  } finally {
    live.clear()
  }
}

/** The response, or the message of a service that says when to ask again: too many requests, or a database that is away. */
async function answerOrBusy<T extends Answer>(poll: () => Promise<T>) {
  try {
    const answer = await poll()
    return { answer, busy: null, retry_after: answer.retry_after }
  } catch (fault) {
    const retry_after = retryAfterOf(fault)
    if (retry_after === null) throw fault
    return { answer: null, busy: (fault as Failure).message, retry_after }
  }
}

/** Seconds between two polls if the service sends no Retry-After. */
const POLL_SECONDS = 1

/** Adds the option for the longest time to wait. */
export const withTimeout = (command: Command) => command.option('--timeout <seconds>', 'longest time to wait', numberFrom, 600)
