import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Gives the run a temporary folder of its own, which goes with it: whatever its tests leave there, and the programs that they start. The name is
 * short, for a socket's path may have a hundred letters.
 */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wt-'))
  // As the system's own: PostgreSQL and browsers run as users with fewer rights.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
