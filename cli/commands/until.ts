import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { liveLine } from '../format.ts'
import type { Answer } from '../service.ts'
import { numberFrom } from './command.ts'

/** Polls until the response is accepted or the time is over, with a progress line. Respects Retry-After. */
export async function until<T extends Answer>(
  timeout: number,
  said: (seconds: number) => string,
  look: () => Promise<T>,
  will_do: (answer: T) => boolean,
): Promise<T> {
  const began = Date.now()
  const live = liveLine()
  try {
    for (;;) {
      const answer = await look()
      const waited = (Date.now() - began) / 1000
      const wait = answer.retry_after || LOOK_AGAIN_SECONDS
      if (will_do(answer) || waited + wait > timeout) return answer
      live.show(said(Math.round(waited)))
      await pause(wait * 1000)
    }
  } finally {
    live.clear()
  }
}

/** Seconds between two polls if the service sends no Retry-After. */
const LOOK_AGAIN_SECONDS = 1

/** Adds the option for the longest time to wait. */
export const waits = (command: Command) => command.option('--timeout <seconds>', 'longest time to wait', numberFrom, 600)
