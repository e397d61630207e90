import { setTimeout as pause } from 'node:timers/promises'

/** Asks again until the answer is yes. @throws Error where it never came about */
export async function waitUntil(holds: () => Promise<boolean>, within_ms = 60_000): Promise<void> {
  for (const ends = Date.now() + within_ms; Date.now() < ends; await pause(50)) if (await holds()) return
  throw new Error(`it never came about: ${holds}`)
}
