import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { liveLine } from '../format.ts'
import type { Answer } from '../service.ts'
import { numberFrom } from './command.ts'

/** Polls until the response is accepted or the time is over, with a progress line. Respects Retry-After. */
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
      const answer = await poll()
      const waited = (Date.now() - startedAt) / 1000
      const wait = answer.retry_after || POLL_SECONDS
      if (isDone(answer) || waited + wait > timeout) return answer
      live.show(progress(Math.round(waited)))
      await pause(wait * 1000)
    }
  } finally {
    live.clear()
  }
}

/** Seconds between two polls if the service sends no Retry-After. */
const POLL_SECONDS = 1

/** Adds the option for the longest time to wait. */
export const withTimeout = (command: Command) => command.option('--timeout <seconds>', 'longest time to wait', numberFrom, 600)
