import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { sampleDetails } from '#domain/archive/sample/storm-files.ts'
import type { Engine, Terminal } from './engine.ts'
import { openTerminal } from './engine.ts'

/** An install next to whatever else this machine runs: a clone of the last commit, with names and ports that nothing else uses. */
export interface Site {
  folder: string
  project: string
  base_urls: readonly [string, string]
  terminal: Terminal
  /** Commits a change to the clone's origin, as a new version does. */
  publish(): void
  /** Removes containers, volumes, images and files. */
  remove(): Promise<void>
}

/** This line identifies the image of the next version. */
export const NEXT = 'The version after.'
const YEAR_FILE = /^StormEvents_details-ftp_v1\.0_d2019_c\d+\.csv\.gz$/
const REMOVED_WITHIN_MS = 120_000
const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

/** @param own environment variables for the pasted lines */
export async function openSite(engine: Engine, own: NodeJS.ProcessEnv = {}): Promise<Site> {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'weather-containers-'))
  const [origin, next, folder] = ['origin.git', 'next', 'site'].map((name) => path.join(parent, name)) as [string, string, string]
  const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 })
  git('clone', '-q', '--bare', '.', origin)
  git('clone', '-q', origin, next)
  git('clone', '-q', origin, folder)
  // The containers' users read the files in it.
  for (const open of [parent, folder]) chmodSync(open, 0o755)
  writeRecords(folder)
  const port = await twoFreePorts()
  const project = `weather-test-${process.pid}`
  const env = { ...process.env, COMPOSE_PROJECT_NAME: project, WEATHER_TAG: project, API_PORTS: `${port}-${port + 1}`, ...own }
  const terminal = openTerminal(engine, folder, env)
  return {
    folder,
    project,
    base_urls: [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`],
    terminal,
    publish() {
      appendFileSync(path.join(next, 'LICENSE'), `${NEXT}\n`)
      git('-C', next, ...AUTHOR, 'commit', '-q', '-a', '-m', NEXT)
      git('-C', next, 'push', '-q', 'origin', 'HEAD')
    },
    async remove() {
      const names = ['weather-report-service', 'weather-report-documents', 'weather-test-pgbouncer', 'weather-test-bucket']
      const images = names.map((name) => `${name}:${project}`).join(' ')
      const cleaning = openTerminal(engine, folder, env)
      await cleaning.paste(`docker compose down -v || true\ndocker image rm -f ${images} || true`, REMOVED_WITHIN_MS).catch(console.error)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** The year that docs/production.md names: as published, if WEATHER_REAL_DATA has it, else the sample's day in the same format. */
function writeRecords(folder: string): void {
  const real = path.join(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events')
  const name = namesIn(real).find((file) => YEAR_FILE.test(file))
  const target = path.join(folder, name ?? 'StormEvents_details-ftp_v1.0_d2019_c20190617.csv.gz')
  if (name) copyFileSync(path.join(real, name), target)
  else writeFileSync(target, gzipSync(sampleDetails()))
  chmodSync(target, 0o644)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

async function twoFreePorts(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
  throw new Error('no two free ports beside each other were found')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
