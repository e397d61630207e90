import { setTimeout as pause } from 'node:timers/promises'

/**
 * Repeats a check until it returns yes.
 * @throws Error if it never does
 */
export async function waitUntil(holds: () => Promise<boolean>, within_ms = 60_000): Promise<void> {
  for (const ends = Date.now() + within_ms; Date.now() < ends; await pause(50)) if (await holds()) return
  throw new Error(`it never came about: ${holds}`)
}
