import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserSentences } from '#domain/observability/browser-status.ts'
import { notedBrowser } from '#test/support/browser.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openProcesses, SECRET_KEYS } from '#test/support/processes.ts'
import { openWorld } from '#test/support/world.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'documents-process-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('only the documents process ever has a browser, and the operator sees that no such process is running', async () => {
  const noted = await notedBrowser(folder)
  const world = await openWorld({ config: { secret_keys: SECRET_KEYS } })
  const { token } = await aToken(world, await aTeam(world))
  const processes = await openProcesses(world.app.config.database_direct_url, { PUPPETEER_EXECUTABLE_PATH: noted.program })
  try {
    processes.start('api')
    processes.start('worker', { nth: 1, args: ['--except-jobs=report.render'] })
    await processes.ready()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({
      latitude: 35.4676,
      longitude: -97.5164,
      window_start: '2024-01-01',
      window_end: '2024-12-31',
      radius_miles: 10,
    })
    const response = await fetch(`${processes.base_url}/api/v1/reports`, { method: 'POST', headers, body })
    expect(response.status).toBe(202)
    const { id } = ((await response.json()) as { data: { id: string } }).data
    const statusOf = async (tail = '') => fetch(`${processes.base_url}/api/v1/reports/${id}${tail}`, { headers })
    await awaited(async () => ((await (await statusOf()).json()) as { data: { status: string } }).data.status === 'complete')
    // The document is requested and does not arrive: no running process prints.
    for (let look = 0; look < 5; look++) {
      expect((await statusOf('/pdf')).status).not.toBe(200)
      await pause(200)
    }
    expect(await noted.started()).toEqual([])
    const documents = processes.start('worker', { args: ['--jobs=report.render'] })
    await awaited(async () => (await statusOf('/pdf')).status === 200)
    const started = await noted.running()
    expect(started).toHaveLength(1)
    expect(await parentOf(started[0] as number)).toBe(documents.pid)
    expect(await noted.started()).toEqual(started)
    await awaited(async () => (await browserSentences(world.app)).length === 1)
    expect(await browserSentences(world.app)).toEqual([
      expect.stringMatching(`^The browser of ${os.hostname()} runs (in|without) its sandbox, as `),
    ])
  } finally {
    await processes.close()
  }
})

/** Field 4 of /proc/PID/stat; the second after the name. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

async function awaited(ask: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 90_000; Date.now() < until; await pause(200)) if (await ask()) return
  throw new Error('it did not come in time')
}
