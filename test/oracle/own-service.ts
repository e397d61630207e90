import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Connection } from '../../cli/settings.ts'

export interface OwnService {
  connection: Connection
  /** The team of the sample, and a token of it. */
  team: { team_id: string; token: string }
  /** File with the output of the service; it is removed with the service. */
  log: string
  stop(): Promise<void>
}

/** Starts a service as a user would, on a state folder of its own; it stops with this program, however that exits. */
export async function startService(settings: Record<string, string> = {}, args: readonly string[] = []): Promise<OwnService> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'weather-own-'))
  const log = path.join(home, 'service.log')
  const env = { ...process.env, WEATHER_HOME: home, PORT: '0', DATABASE_URL: '', REDIS_URL: '', ...settings }
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], { env, stdio: ['ignore', openSync(log, 'w'), 'inherit'] })
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
  const { base_url, operator_key, team_id, token } = JSON.parse(readFileSync(ready, 'utf8')) as Record<
    'base_url' | 'operator_key' | 'team_id' | 'token',
    string
  >
  return { connection: { url: base_url, token: null, operator_key }, team: { team_id, token }, log, stop }
}

/** A first start may have to build; a longer one is a fault. */
const START_WITHIN_MS = 120_000
const LOOK_AGAIN_MS = 100
