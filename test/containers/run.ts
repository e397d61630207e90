import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pngOf } from '../support/pictures.ts'
import { openProxy } from '../support/proxy.ts'
import { parseScrape } from '../support/scrape.ts'
import { confined } from './confined.ts'
import { documentedLines } from './documented-lines.ts'
import { findEngine } from './engine.ts'
import { breakAndHeal, faults, fleetFaults } from './faults.ts'
import { FLEET_FILES, writeFleetSettings } from './fleet.ts'
import { answering, underRequests } from './requests.ts'
import { NEXT, openSite, type Site } from './site.ts'

/**
 * npm run test:containers [-- --fleet] [--faults PATTERN]
 * Runs in real containers what docs/production.md describes under "As containers", "Upgrading", "Rotating keys" and
 * "Backing up", with its lines pasted unchanged. It builds, starts, makes a first report and its PDF, sets the mark
 * of a team's documents, replaces every container by the next version under requests, rotates the secret key, and
 * restores a backup to an empty install. Then it pauses, cuts off and kills worker, Redis and PostgreSQL while
 * reports are made. It works in a clone of the last commit, with names and ports of its own, and removes everything
 * at the end.
 * With --fleet PgBouncer, a replica, a second Redis with three sentinels and a bucket are added and get the same
 * faults; keys and backups are left out. With --faults, only the faults with matching names follow the first
 * report.
 * Needs docker or podman with compose; otherwise it prints that and exits. CONTAINER_ENGINE and COMPOSE_COMMAND
 * name others.
 */

/** Downloads packages of npm and Debian, including a browser. */
const BUILT_WITHIN_MS = 1_200_000
/** Builds the next version first; then each replacement waits until the new container responds. */
const REPLACED_WITHIN_MS = 1_500_000
const PASTED_WITHIN_MS = 300_000
/** For a moment after a write the replica lags behind its team. */
const QUIET_MS = 5000

const engine = findEngine(process.env)
if (!engine) {
  console.log('SKIPPED: no docker and no podman with compose answers on this machine (CONTAINER_ENGINE and COMPOSE_COMMAND name others).')
  process.exit(0)
}
const { fleet, faults: named } = parseArgs({ options: { fleet: { type: 'boolean', default: false }, faults: { type: 'string' } } }).values
const site = await openSite(engine, fleet ? { COMPOSE_FILE: FLEET_FILES } : {})
const { terminal, folder } = site
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => terminal.stop())
console.log(`${engine.engine}, ${engine.compose}; project ${site.project}`)
try {
  await step('built and started', async () => {
    const [settings, ...start] = documentedLines(folder, 'As containers', 0).split(/(?=^docker compose build$)/m)
    await terminal.paste(
      `${settings}echo RATE_LIMIT_PER_MINUTE=1000000 >> .env\n${fleet ? writeFleetSettings(folder) : ''}`,
      PASTED_WITHIN_MS,
    )
    return terminal.paste(start.join(''), BUILT_WITHIN_MS)
  })
  await step('confined', () => confined(site))
  await step('a first report and its PDF', async () => {
    await terminal.paste(documentedLines(folder, 'As containers', 1), PASTED_WITHIN_MS)
    expectPdf('report.pdf')
    return `${readFileSync(path.join(folder, 'report.pdf')).length} bytes`
  })
  await step('a mark for its documents, read by a process within bounds', () => {
    const file = path.join(folder, 'mark.png')
    writeFileSync(file, pngOf(64, 48))
    chmodSync(file, 0o644)
    return terminal.paste(
      'docker compose run --rm -T -v "$PWD:/files:ro" weather admin team letterhead --team $team --brand-logo mark.png',
      PASTED_WITHIN_MS,
    )
  })
  const token = (await terminal.paste('printf %s "$WEATHER_TOKEN"', PASTED_WITHIN_MS)).trim()
  if (named === undefined) await step('every container replaced by the next version, under requests', () => replaced(site, token))
  if (named === undefined && !fleet) {
    await step('the secret key rotated, under requests', () => rotated(site, token))
    await step('a backup, restored where nothing is', async () => {
      const [keep, make] = documentedLines(folder, 'Backing up', 2).split(/(?=^docker compose up -d --wait postgres$)/m) as [string, string]
      await terminal.paste(keep, PASTED_WITHIN_MS)
      await terminal.paste('docker compose down -v', PASTED_WITHIN_MS)
      await terminal.paste(make, PASTED_WITHIN_MS)
      await answering(site)
      await terminal.paste(
        'docker compose run --rm -T weather reports pdf $report --out - > restored.pdf\ncmp report.pdf restored.pdf',
        PASTED_WITHIN_MS,
      )
      await doctor()
      return 'the same bytes'
    })
  }
  const chosen = (fleet ? fleetFaults : faults).filter(({ name }) => new RegExp(named ?? '').test(name))
  for (const fault of chosen) await step(fault.name, () => breakAndHeal(site, token, fault, doctor))
  if (fleet) await step('replica and bucket used', () => used(site, token))
  console.log('containers: all steps passed')
} catch (fault) {
  console.error((fault as Error).message)
  console.error((await terminal.paste('docker compose logs --no-color --tail 40', PASTED_WITHIN_MS).catch(() => '')).slice(-60_000))
  process.exitCode = 1
} finally {
  await site.remove()
}

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  const output = await run().catch((fault: Error) => {
    throw new Error(`FAILED: ${name}\n${fault.message}`)
  })
  const lines = typeof output === 'string' ? (output.trim().split('\n').at(-1) ?? '') : ''
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s${lines ? `, ${lines.slice(0, 200)}` : ''}`)
}

/** The invariants of the data: `doctor` fails if one is broken, and a busy machine may need a retry. */
async function doctor(): Promise<void> {
  const ask = 'for pause in 0 5 10 20; do sleep $pause; docker compose run --rm -T weather doctor && exit 0; done; exit 1'
  await terminal.paste(ask, PASTED_WITHIN_MS)
}

function expectPdf(name: string): void {
  const head = readFileSync(path.join(folder, name)).subarray(0, 5).toString()
  if (head !== '%PDF-') throw new Error(`${name} is no PDF: it begins with ${JSON.stringify(head)}`)
}

/** Whether each API process reads from the replica when nothing is being written, and documents are in the bucket. */
async function used(site: Site, token: string): Promise<string> {
  const proxy = openProxy(site.base_urls, token)
  await pause(QUIET_MS)
  for (let turn = 0; turn < 40; turn++) await proxy.ask(turn, { path: '/reports?per_page=1' })
  const ask = "fetch('http://127.0.0.1:9464/metrics').then((answer) => answer.text()).then(console.log)"
  const reads: number[] = []
  for (const id of (await terminal.paste('docker compose ps -q api', PASTED_WITHIN_MS)).split('\n').filter(Boolean)) {
    const scrape = parseScrape(await terminal.paste(`docker exec ${id} node -e "${ask}"`, PASTED_WITHIN_MS))
    reads.push(scrape.get('weather_replica_reads_total{reason="fresh",server="replica"}') ?? 0)
  }
  const documents = (await terminal.paste("docker compose exec -T bucket sh -c 'find /objects -type f | wc -l'", PASTED_WITHIN_MS)).trim()
  const found = `${reads.join(' and ')} reads by the replica, ${documents} files in the bucket`
  if (reads.length < 2 || reads.includes(0) || documents === '0') throw new Error(found)
  return found
}

/** Lets the documented lines replace every container by the next version, under requests. */
async function replaced(site: Site, token: string): Promise<string> {
  const before = await terminal.paste('docker compose ps -q', PASTED_WITHIN_MS)
  site.publish()
  const output = await underRequests(site, token, () => terminal.paste(documentedLines(folder, 'Upgrading', 2), REPLACED_WITHIN_MS))
  const after = await terminal.paste('docker compose ps -q api worker documents', PASTED_WITHIN_MS)
  const kept = after.split('\n').filter((id) => id && before.includes(id))
  if (kept.length > 0) throw new Error(`containers of the version before still serve: ${kept.join(', ')}`)
  await terminal.paste(`docker compose exec -T api grep -qx '${NEXT}' LICENSE`, PASTED_WITHIN_MS)
  return output
}

/** Lets the documented lines rotate the secret key, under requests. */
async function rotated(site: Site, token: string): Promise<string> {
  const output = await underRequests(site, token, () => terminal.paste(documentedLines(folder, 'Rotating keys', 1), REPLACED_WITHIN_MS))
  const keys = JSON.parse(await terminal.paste('docker compose run --rm -T weather keys status --json', PASTED_WITHIN_MS))
  if (keys.length !== 1 || keys[0].name !== 'after' || keys[0].values === 0)
    throw new Error(`the key is not rotated: ${JSON.stringify(keys)}`)
  await doctor()
  return output
}
