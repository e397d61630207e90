import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { notedBrowser } from '#test/support/browser.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, settled } from '#test/support/consistent.ts'
import { installedPrograms, openInstalledPostgres } from '#test/support/installed-postgres.ts'
import { openProcesses, type Processes } from '#test/support/processes.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { NETWORKS, OPERATOR_KEY } from '#test/support/shape.ts'
import { openTerminal } from '../cli/terminal.ts'

/** A lost job is issued again after 60 s, found within a further 15. */
const SETTLED_WITHIN_MS = 240_000
const COMPLETE_WITHIN_MS = 60_000
/** A document that is still being written: it would be gone under this name before it is copied. */
const DRAFT = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

it.skipIf(!installedPrograms)(
  `a copy taken while it serves, restored into an empty database, goes on where it was${installedPrograms ? '' : ' (skipped: no PostgreSQL is installed)'}`,
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-restore-'))
    const [postgres, receiver, browser] = await Promise.all([openInstalledPostgres(), openReceiver(), notedBrowser(folder)])
    const settings = {
      // The address that links carry is the install's, whichever machine it runs on.
      BASE_URL: 'https://weather.example',
      WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
      WEATHER_OPERATOR_KEY: OPERATOR_KEY,
      PUPPETEER_EXECUTABLE_PATH: browser.program,
    }
    const [dump, blobs, document] = ['weather.dump', 'blobs-of-the-same-day', 'report.pdf'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ]
    const url = await postgres.database('weather')
    const before = await openProcesses(url, settings)
    let after: Processes | undefined
    try {
      expect(await before.run('--migrate', '--roles=none')).toBe(0)
      // With the sample, and with it a first team whose token it leaves in its home.
      before.start('api', { env: { WEATHER_HOME: folder, WEATHER_SAMPLE: '1' } })
      const token = await vi.waitFor(
        async () => JSON.parse(await readFile(path.join(folder, 'ready.json'), 'utf8')).token as string,
        60_000,
      )
      before.start('worker')
      await before.ready()
      const registered = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['report.completed', 'report.pdf_ready'] }
      await ask(before, token, '/integrations', registered)

      const [id] = (await carefulClient([before.base_url], token, 'first').ask(1, 1)) as [string]
      const bytes = await documentOf(before, token, id)
      const posted = await tellingOf(before, token, id)
      // The copy is taken in the midst of work: the database first, then the documents that it names.
      const asking = carefulClient([before.base_url], token).ask(12, 2)
      await vi.waitFor(async () => expect(await count(before, "reports WHERE status = 'pending'")).toBeGreaterThan(0), COMPLETE_WITHIN_MS)
      await postgres.run('pg_dump', '-Fc', '-f', dump, url)
      await cp(before.blobs, blobs, { recursive: true, filter: (name) => !DRAFT.test(name) })
      await asking
      await before.close()

      const restored = await postgres.database('restored')
      await postgres.run('pg_restore', '--no-owner', '--exit-on-error', '-d', restored, dump)
      after = await openProcesses(restored, { ...settings, WEATHER_BLOBS: blobs })
      const kept = (await after.query<{ report_id: string }>('SELECT report_id FROM documents')).map(({ report_id }) => report_id)
      const pending = await count(after, "reports WHERE status = 'pending'")
      after.start('api')
      after.start('worker')
      await after.ready()

      expect(await tellingOf(after, token, id)).toEqual(posted)
      expect((await documentOf(after, token, id)).equals(bytes)).toBe(true)
      for (const report of kept) expect((await documentOf(after, token, report)).subarray(0, 5).toString()).toBe('%PDF-')
      await writeFile(document, bytes)
      const weather = await openTerminal({ WEATHER_URL: after.base_url, WEATHER_TOKEN: token, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
      expect((await weather('verify', document)).status).toBe(0)
      // What was asked for and not yet done when the copy was taken is done now, and what is asked for now is announced.
      const [next] = (await carefulClient([after.base_url], token, 'next').ask(1, 1)) as [string]
      const took = await settled(after, SETTLED_WITHIN_MS)
      console.log(`${kept.length} documents and ${pending} pending reports in the copy; settled after ${took} ms`)
      expect(await count(after, "reports WHERE status <> 'complete'")).toBe(0)
      expect(receiver.posts.some(({ body }) => body.includes(next))).toBe(true)
      await expectConsistent(after)
      expect((await weather('doctor')).status).toBe(0)
    } catch (fault) {
      console.log((await (after ?? before).log().catch(() => '')).slice(-10_000))
      throw fault
    } finally {
      await Promise.all([after?.close(), receiver.close()])
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function ask({ base_url }: Processes, token: string, at: string, body?: unknown): Promise<unknown> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${base_url}/api/v1${at}`, { headers: headers(token), ...sent })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** All that the API says of a report and its evidence. */
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
