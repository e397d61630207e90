import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { exits, failure } from '../failure.ts'
import { replaceFile } from '../replace-file.ts'

/** The stored state of a log between two checks. */
export interface SeenLog {
  /** URL of the service. */
  url: string
  /** The newest valid checkpoint, as received. */
  checkpoint: string
  /** The key that signed it. */
  key_id: string
  seen_at: string
}

/** Reads the stored state of a service's log; null at the first check. @throws Failure if the file cannot be read */
export function recall(env: NodeJS.ProcessEnv, url: string): SeenLog | null {
  const file = fileOf(env, url)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SeenLog
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw failure(exits.failure, `${file} cannot be read. It contains the earlier checkpoint of the log.`)
  }
}

/** Replaces the file atomically, so that the state is never partly lost. */
export function remember(env: NodeJS.ProcessEnv, seen: SeenLog): void {
  write(fileOf(env, seen.url), JSON.stringify(seen, null, 2))
}

/**
 * Stores two checkpoints permanently.
 * @param kind `fork`: they contradict each other; `end`: the later one is of another log, which states that the first one's log ended
 * @returns the file
 */
export function keepBoth(env: NodeJS.ProcessEnv, kind: 'fork' | 'end', { url, before, now }: Pair, at: Date): string {
  const file = fileOf(env, url).replace(/\.json$/, `.${kind}-${at.toISOString().replace(/\W/g, '')}.txt`)
  write(file, `${url}\n\nBefore:\n\n${before}\nNow:\n\n${now}`)
  return file
}

interface Pair {
  url: string
  /** Checkpoints, as received. */
  before: string
  now: string
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${text}\n`, 0o600)
}

/** One file per service in the state folder (XDG). */
function fileOf(env: NodeJS.ProcessEnv, url: string): string {
  const folder = env.XDG_STATE_HOME || path.join(os.homedir(), '.local', 'state')
  const name = `${new URL(url).host.replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(url).digest('hex').slice(0, 8)}`
  return path.join(folder, 'weather', 'logs', `${name}.json`)
}
