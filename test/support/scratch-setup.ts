import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { boundModuleCache } from './module-cache.ts'

/**
 * Gives the run a temporary folder of its own and removes it at the end, with everything that the tests and their
 * programs leave there. The name is short, because a socket's path may have only about a hundred characters.
 */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wt-'))
  // The same mode as the system's own: PostgreSQL and browsers run as users with fewer rights.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  boundModuleCache()
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
