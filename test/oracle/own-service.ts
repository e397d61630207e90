import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Connection } from '../../cli/settings.ts'

export interface OwnService {
  connection: Connection
  stop(): Promise<void>
}

/** Starts a service as a user would, on a state folder of its own; it ends with this program, however that ends. */
export async function startService(): Promise<OwnService> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'weather-oracle-'))
  const env = { ...process.env, WEATHER_HOME: home, PORT: '0', DATABASE_URL: '', REDIS_URL: '' }
  const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const interrupt = () => child.kill('SIGINT')
  process.once('exit', interrupt)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    if (child.exitCode === null) interrupt()
    await ended
    process.off('exit', interrupt)
    rmSync(home, { recursive: true, force: true })
  }
  const ready = path.join(home, 'ready.json')
  for (const until = Date.now() + START_WITHIN_MS; !existsSync(ready); await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS))) {
    if (child.exitCode === null && Date.now() < until) continue
    await stop()
    throw new Error('the service did not start')
  }
  const { base_url, operator_key } = JSON.parse(readFileSync(ready, 'utf8')) as { base_url: string; operator_key: string }
  return { connection: { url: base_url, token: null, operator_key }, stop }
}

/** A first start may have to build; after this long something is wrong. */
const START_WITHIN_MS = 120_000
const LOOK_AGAIN_MS = 100
