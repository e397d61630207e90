import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { notedBrowser } from '#test/support/browser.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { copyObjects } from '#test/support/copy-objects.ts'
import { fleetIsHere, openFleetServers } from '#test/support/fleet-servers.ts'
import { type InstalledPostgres, installedPrograms, openInstalledPostgres } from '#test/support/installed-postgres.ts'
import type { ObjectStore } from '#test/support/object-store.ts'
import { startPgBouncer } from '#test/support/pgbouncer.ts'
import { openProcesses, type Processes } from '#test/support/processes.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { BUT_DOCUMENTS, NETWORKS, OPERATOR_KEY } from '#test/support/shape.ts'
import { openTerminal } from '../cli/terminal.ts'

/** A lost job is issued again after 60 s, and found within another 15 s. */
const SETTLED_WITHIN_MS = 240_000
const COMPLETE_WITHIN_MS = 60_000
/** A document that is still being written: the file with this name would be gone before it is copied. */
const DRAFT = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The servers of an install; a restored install has its own. */
interface Install {
  postgres: InstalledPostgres
  /** An empty database, for the owner. */
  url: string
  settings: Record<string, string>
  /** Null if documents are stored in a folder. */
  store: ObjectStore | null
  close(): Promise<void>
}

async function openSmall(): Promise<Install> {
  const postgres = await openInstalledPostgres()
  return { postgres, url: await postgres.database('weather'), settings: {}, store: null, close: () => postgres.stop() }
}

async function openFleet(): Promise<Install> {
  const [postgres, servers] = await Promise.all([openInstalledPostgres(), openFleetServers()])
  const url = await postgres.database('weather')
  const serving = new URL(url)
  Object.assign(serving, { username: 'weather_service', password: 'of-the-role-that-serves' })
  const replica = new URL(serving)
  replica.port = String(await postgres.follow())
  const pooler = await startPgBouncer(serving.href)
  const databases = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: serving.href, DATABASE_REPLICA_URL: replica.href }
  return {
    postgres,
    url,
    settings: { ...databases, DATABASE_MIGRATE_URL: url, ...servers.settings },
    store: servers.store,
    async close() {
      await pooler.stop()
      await Promise.all([postgres.stop(), servers.close()])
    },
  }
}

const shapes = [
  { name: 'PostgreSQL and a folder', here: true, open: openSmall, apis: 1, workers: [[]] },
  {
    name: 'a fleet of PgBouncer, a replica, sentinels and a bucket',
    here: fleetIsHere,
    open: openFleet,
    apis: 2,
    workers: [[BUT_DOCUMENTS], [BUT_DOCUMENTS], ['--jobs=report.render']],
  },
]

/** Starts an install's processes. The first API may have a home and settings of its own. */
async function startAll(service: Processes, { apis, workers }: (typeof shapes)[number], home: string, first: Record<string, string> = {}) {
  for (let nth = 0; nth < apis; nth++) service.start('api', { nth: nth as 0 | 1, env: nth === 0 ? first : {} })
  for (const [nth, args] of workers.entries()) service.start('worker', { args, env: { WEATHER_HOME: path.join(home, `worker-${nth}`) } })
  await service.ready()
}

describe.skipIf(!installedPrograms)(
  `a backup taken while the service runs${installedPrograms ? '' : ' (skipped: no PostgreSQL is installed)'}`,
  () => {
    it.for(shapes)('continues where it was once restored to another install: $name', { timeout: 900_000 }, async (shape, { skip }) => {
      if (!shape.here) skip()
      const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-restore-'))
      const [old, receiver, browser] = await Promise.all([shape.open(), openReceiver(), notedBrowser(folder)])
      const settings = {
        // Links have the address of the install, whichever machine it runs on.
        BASE_URL: 'https://weather.example',
        WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
        WEATHER_OPERATOR_KEY: OPERATOR_KEY,
        PUPPETEER_EXECUTABLE_PATH: browser.program,
      }
      const [dump, blobs, document, checkpoint] = ['weather.dump', 'blobs-of-the-same-day', 'report.pdf', 'checkpoint'].map((name) =>
        path.join(folder, name),
      ) as [string, string, string, string]
      const before = await openProcesses(old.url, { ...settings, ...old.settings })
      let other: Install | undefined
      let after: Processes | undefined
      try {
        expect(await before.run('--migrate', '--roles=none')).toBe(0)
        // With the sample, which brings a first team, whose token is in the home folder.
        await startAll(before, shape, path.join(folder, 'before'), { WEATHER_HOME: folder, WEATHER_SAMPLE: '1' })
        const token = await vi.waitFor(
          async () => JSON.parse(await readFile(path.join(folder, 'ready.json'), 'utf8')).token as string,
          60_000,
        )
        const registered = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['report.completed', 'report.pdf_ready'] }
        await ask(before, token, '/integrations', registered)

        const apiUrls = before.base_urls.slice(0, shape.apis)
        const [id] = (await carefulClient(apiUrls, token, 'first').ask(1, 1)) as [string]
        const bytes = await documentOf(before, token, id)
        const posted = await tellingOf(before, token, id)
        // The backup is taken in the middle of work: the database first, then the documents that it names.
        const requests = carefulClient(apiUrls, token).ask(12, 2)
        await vi.waitFor(async () => expect(await count(before, "reports WHERE status = 'pending'")).toBeGreaterThan(0), COMPLETE_WITHIN_MS)
        await old.postgres.run('pg_dump', '-Fc', '-f', dump, old.url)
        other = await shape.open()
        if (old.store && other.store) expect(await copyObjects(old.store, other.store)).toBeGreaterThan(0)
        else await cp(before.blobs, blobs, { recursive: true, filter: (name) => !DRAFT.test(name) })
        await requests
        await waitForIdle(before, SETTLED_WITHIN_MS)
        await writeFile(checkpoint, await (await fetch(`${before.base_url}/log/checkpoint`)).text())
        await before.close()

        await other.postgres.run('pg_restore', '--no-owner', '--no-privileges', '--exit-on-error', '-d', other.url, dump)
        after = await openProcesses(other.url, { ...settings, WEATHER_BLOBS: blobs, ...other.settings })
        const kept = await after.query<{ report_id: string; sha256: string }>('SELECT report_id, sha256 FROM documents')
        const pending = await count(after, "reports WHERE status = 'pending'")
        expect(await after.run('--migrate', '--roles=none')).toBe(0)
        await startAll(after, shape, path.join(folder, 'after'))

        expect(await tellingOf(after, token, id)).toEqual(posted)
        expect((await documentOf(after, token, id)).equals(bytes)).toBe(true)
        // None of them is printed again: the stored one is returned at the first request.
        for (const { report_id, sha256 } of kept) {
          const answer = await fetch(`${after.base_url}/api/v1/reports/${report_id}/pdf`, { headers: headers(token) })
          const document = Buffer.from(await answer.arrayBuffer())
          expect([answer.status, createHash('sha256').update(document).digest('hex')]).toEqual([200, sha256])
        }
        await writeFile(document, bytes)
        const weather = await openTerminal({ WEATHER_URL: after.base_url, WEATHER_TOKEN: token, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
        expect((await weather('verify', document)).status).toBe(0)
        // Work that was requested and unfinished at the backup is done, and new requests are announced.
        const [next] = (await carefulClient(after.base_urls.slice(0, shape.apis), token, 'next').ask(1, 1)) as [string]
        const took = await waitForIdle(after, SETTLED_WITHIN_MS)
        console.log(`${shape.name}: ${kept.length} documents and ${pending} pending reports in the copy; settled after ${took} ms`)
        expect(await count(after, "reports WHERE status <> 'complete'")).toBe(0)
        expect(receiver.posts.some(({ body }) => body.includes(next))).toBe(true)
        await expectConsistent(after)
        expect((await weather('doctor')).status).toBe(0)

        // The log went back to the backup, and on from there. It ends, another begins, and documents of both are verified.
        const begun = await weather('log', 'begin', '--origin', 'weather.example/log-2', '--published', checkpoint, '--yes', '--json')
        expect([begun.status, begun.stderr]).toEqual([0, ''])
        expect((await weather('verify', document)).status).toBe(0)
        const [later] = (await carefulClient(after.base_urls.slice(0, shape.apis), token, 'later').ask(1, 1)) as [string]
        await writeFile(document, await documentOf(after, token, later))
        const verified = await weather('verify', document)
        expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('weather.example/log-2')])
        expect((await weather('doctor')).status).toBe(0)
      } catch (fault) {
        console.log((await (after ?? before).log().catch(() => '')).slice(-10_000))
        throw fault
      } finally {
        await Promise.all([before.close(), after?.close(), receiver.close()])
        await Promise.all([old.close(), other?.close()])
        await rm(folder, { recursive: true, force: true })
      }
    })
  },
)

const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function ask({ base_url }: Processes, token: string, at: string, body?: unknown): Promise<unknown> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${base_url}/api/v1${at}`, { headers: headers(token), ...sent })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Everything that the API returns about a report and its evidence. */
const tellingOf = (service: Processes, token: string, id: string): Promise<unknown[]> =>
  Promise.all(['', '/events', '/verification'].map((part) => ask(service, token, `/reports/${id}${part}`)))

const documentOf = ({ base_url }: Processes, token: string, id: string): Promise<Buffer> =>
  vi.waitFor(
    async () => {
      const answer = await fetch(`${base_url}/api/v1/reports/${id}/pdf`, { headers: headers(token) })
      expect(answer.status).toBe(200)
      return Buffer.from(await answer.arrayBuffer())
    },
    { timeout: COMPLETE_WITHIN_MS, interval: 200 },
  )

const count = async (service: Processes, of: string): Promise<number> =>
  (await service.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${of}`))[0]?.n ?? 0
