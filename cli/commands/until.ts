import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { liveLine } from '../format.ts'
import type { Answer } from '../service.ts'
import { numberFrom } from './command.ts'

/** Asks until the answer will do or the time is over, with a live line; the service's Retry-After is honoured. */
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

/** Seconds between two looks where the service does not say. */
const LOOK_AGAIN_SECONDS = 1

/** The option that says how long. */
export const waits = (command: Command) => command.option('--timeout <seconds>', 'longest time to wait', numberFrom, 600)
