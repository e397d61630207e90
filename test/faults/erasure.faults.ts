import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { eventNames } from '#domain/events/catalogue.ts'
import { notedBrowser } from '#test/support/browser.ts'
import { expectConsistent } from '#test/support/consistency.ts'
import { installedPrograms, openInstalledPostgres } from '#test/support/installed-postgres.ts'
import { hasProgram } from '#test/support/pdf.ts'
import { openProcesses, type Processes } from '#test/support/processes.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { NETWORKS, OPERATOR_KEY } from '#test/support/shape.ts'
import { openTerminal } from '../cli/terminal.ts'

const EMAIL = 'jane.quillfeather@example.org'
const PERSON = { name: 'Jane Quillfeather', email: EMAIL, phone: '+1 (405) 555-0142' }
/** All forms in which the person could remain: the name, the address or the number, however it is written. */
const TRACE = /quillfeather|jane\.q|405\D{0,3}555\D{0,3}0142/i
const ADDRESS = '1 Main St, Moore, OK 73160'
const WITHIN_MS = 120_000

const here = installedPrograms !== null && hasProgram('pdftotext')

describe.skipIf(!here)(`a person after erasure${here ? '' : ' (skipped: no PostgreSQL or pdftotext is installed)'}`, () => {
  it.each(redisIsHere ? ['redis', 'database'] : ['database'])(
    'is in no dump, document, queue in the %s, log or later post',
    { timeout: 500_000 },
    async (store) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-erasure-'))
      let well = true
      const [postgres, browser, redis, receiver, records] = await Promise.all([
        openInstalledPostgres(),
        notedBrowser(folder),
        store === 'redis' ? startRedis() : null,
        openReceiver((response) => response.writeHead(well ? 204 : 500).end(EMAIL)),
        openRecords(),
      ])
      const url = await postgres.database('weather')
      const service = await openProcesses(url, {
        WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
        WEATHER_OPERATOR_KEY: OPERATOR_KEY,
        PUPPETEER_EXECUTABLE_PATH: browser.program,
        ENRICHMENT_URL: records.url,
        LOG_LEVEL: 'debug',
        ...(redis && { REDIS_URL: redis.url }),
      })
      try {
        expect(await service.run('--migrate', '--roles=none')).toBe(0)
        service.start('api', { env: { WEATHER_HOME: folder, WEATHER_SAMPLE: '1' } })
        const token = await vi.waitFor(
          async () => JSON.parse(await readFile(path.join(folder, 'ready.json'), 'utf8')).token as string,
          WITHIN_MS,
        )
        service.start('worker')
        await service.ready()
        const ask = clientFor(service, token)

        for (const channel of ['webhook', 'chat_a', 'chat_b'])
          await ask('POST', '/integrations', { name: `${channel} of Jane Quillfeather`, channel, url: receiver.url, events: eventNames })
        const named = { label: "Jane Quillfeather's", notes: `call ${PERSON.phone}`, reference: EMAIL, tags: [EMAIL] }
        const { data: home } = await ask('POST', '/properties', { address: `Jane Quillfeather, ${ADDRESS}`, ...named })
        const contacts = `/properties/${home.id}/contacts`
        const { data: contact } = await ask('POST', contacts, PERSON)
        await ask('PATCH', `${contacts}/${contact.id}`, { notes: `${PERSON.name} prefers mornings` })
        await ask(
          'POST',
          '/properties/batch',
          { properties: [{ address: `2 ${ADDRESS.slice(2)}`, notes: EMAIL }, { tags: EMAIL }] },
          'batch',
        )
        const window = { window_start: '2025-05-01', window_end: '2025-06-30' }
        const input = { address: ADDRESS, ...window, property_id: home.id, recipient: PERSON.name, reference: EMAIL }
        const { data: report } = await ask('POST', '/reports', input, 'report')

        // Internal and external errors while the person's data are in use: each is reported somewhere.
        await service.query("ALTER TABLE contacts ADD CONSTRAINT fault CHECK (company <> 'Fault')")
        expect((await ask('POST', contacts, { ...PERSON, company: 'Fault' })).code).toBe('server_error')
        expect((await ask('POST', contacts, { ...PERSON, email: `${EMAIL} x` })).code).toBe('validation_failed')
        const graph = graphFaults(home.id)
        for (const [query, variables] of graph) expect(await askGraph(service, token, query, variables)).toHaveProperty('errors')
        await ask('POST', `/properties/${home.id}/enrich`)
        await vi.waitFor(() => expect(records.requestCount()).toBeGreaterThan(0), WITHIN_MS)
        await printed(service, report.id)
        expect(await documentsOf(service)).toMatch(TRACE)

        // Posts that wait, some of which were tried.
        well = false
        await ask('PATCH', `${contacts}/${contact.id}`, { role: 'tenant' })
        await ask('PATCH', `/properties/${home.id}`, { watch_radius_miles: 2 })
        await vi.waitFor(async () => expect(await waiting(service)).toBeGreaterThanOrEqual(6), WITHIN_MS)
        expect(await dumpOf(postgres, url, folder)).toMatch(TRACE)

        const weather = await openTerminal({ WEATHER_URL: service.base_url, WEATHER_TOKEN: token })
        const erased = await weather('contacts', 'erase', '--email', EMAIL, '--yes', '--json')
        expect({ ...erased, stdout: '' }).toMatchObject({ status: 0 })
        expect(JSON.parse(erased.stdout)).toMatchObject({ contacts: [{ contact_id: contact.id }], documents: [report.id], kept: [] })
        receiver.posts.length = 0
        well = true
        await ask('PATCH', `/properties/${home.id}`, { watch_radius_miles: 1 })
        await vi.waitFor(async () => {
          await service.query("UPDATE deliveries SET next_attempt_at = now() WHERE status = 'retrying'")
          expect(await waiting(service)).toBe(0)
        }, WITHIN_MS)
        await printed(service, report.id)
        expect((await weather('contacts', 'find', '--email', EMAIL)).stderr).toContain('Nothing is stored')

        const posts = receiver.posts.map(({ body }) => body)
        expect(posts.length).toBeGreaterThanOrEqual(9)
        const places = {
          dump: await dumpOf(postgres, url, folder),
          documents: await documentsOf(service),
          queue: await filesOf(redis ? await folderOf(redis.url) : null),
          log: await service.log(),
          server: await postgres.log(),
          posts: posts.join('\n'),
        }
        // Each source must have content: an empty one would prove nothing.
        const words: Record<keyof typeof places, string> = {
          dump: redis ? 'COPY public.deliveries' : 'COPY bullmq.',
          documents: 'Moore',
          queue: redis ? 'delivery.send' : '',
          log: 'a job is done',
          server: 'violates check constraint',
          posts: home.id,
        }
        for (const [place, word] of Object.entries(words))
          expect([place, places[place as keyof typeof places].includes(word)]).toEqual([place, true])
        const left = Object.entries(places).map(([place, text]) => [place, around(text)])
        expect(Object.fromEntries(left)).toEqual({ dump: null, documents: null, queue: null, log: null, server: null, posts: null })
        const bytes = Object.entries(places).map(([place, text]) => `${place} ${text.length}`)
        console.log(`${store}: 0 bytes of the person in ${bytes.join(', ')}`)
        await expectConsistent(service)
      } catch (fault) {
        console.log((await service.log()).slice(-10_000))
        throw fault
      } finally {
        await service.close()
        await Promise.all([receiver.close(), records.close(), redis?.stop()])
        await postgres.stop()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

/** The remains of the person, with the text around them; null if there are none. */
function around(text: string): string | null {
  const found = TRACE.exec(text)
  return found && text.slice(Math.max(0, found.index - 300), found.index + 100)
}

/** A provider of public records whose response breaks off inside the person's data. */
async function openRecords() {
  let requestCount = 0
  const server = createServer((_request, response) => {
    requestCount++
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"contacts":[{"name":"${PERSON.name}","email":"${EMAIL}`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/records`
  return { url, requestCount: () => requestCount, close: () => new Promise((closed) => server.close(closed)) }
}

const clientFor =
  ({ base_url }: Processes, token: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the endpoint answers
  async (method: 'POST' | 'PATCH', at: string, body?: unknown, key?: string): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
    const answer = await fetch(`${base_url}/api/v1${at}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return answer.json()
  }

/** Queries that contain the person and fail: in the database, in the validation of words, of a variable, of the query and of its syntax. */
function graphFaults(property: string): [query: string, variables?: object][] {
  const contact = (words: string) => `mutation { createContact(property: "${property}", name: "${PERSON.name}", ${words}) { id } }`
  return [
    [contact(`email: "${EMAIL}", company: "Fault"`)],
    [contact(`email: "${EMAIL} x"`)],
    [contact(`email: "${EMAIL}", phone: 4055550142`)],
    [contact(`mail: "${EMAIL}"`)],
    [`query ($email: String!) { personalData(email: $email) { object } }`, { email: [EMAIL] }],
    [`{ personalData(email: "${EMAIL}" { object } }`],
    [`{ personalData(email: "${PERSON.phone}") { object } }`],
  ]
}

async function askGraph({ base_url }: Processes, token: string, query: string, variables: object = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${base_url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  return answer.json()
}

async function waiting({ query }: Processes): Promise<number> {
  const [row] = await query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE status IN ('queued', 'retrying')")
  return row?.n as number
}

const printed = ({ query }: Processes, id: string) =>
  vi.waitFor(
    async () => expect(await query('SELECT pdf_status FROM reports WHERE id = $1', [id])).toEqual([{ pdf_status: 'ready' }]),
    WITHIN_MS,
  )

/** The whole database as SQL, including the queue's schema. */
async function dumpOf(postgres: Awaited<ReturnType<typeof openInstalledPostgres>>, url: string, folder: string): Promise<string> {
  const file = path.join(folder, 'dump.sql')
  await postgres.run('pg_dump', '-f', file, url)
  return readFile(file, 'utf8')
}

/** The printed text of the documents, and their bytes. */
async function documentsOf({ blobs }: Processes): Promise<string> {
  const files = (await readdir(blobs, { recursive: true })).filter((name) => name.endsWith('.pdf')).map((name) => path.join(blobs, name))
  const printed = files.map((file) => execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' }))
  return [...printed, await filesOf(blobs)].join('\n')
}

/** Every file of a folder, byte by byte. */
async function filesOf(folder: string | null): Promise<string> {
  if (!folder) return ''
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')))).join('\n')
}

/** The files in which Redis stores what it was sent. */
async function folderOf(url: string): Promise<string> {
  const redis = new Redis(url)
  const [, folder] = (await redis.config('GET', 'dir')) as [string, string]
  redis.disconnect()
  return folder
}
