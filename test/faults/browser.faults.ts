import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedBrowser, notedBrowser } from '#test/support/browser.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aDestination, aTeam, aToken } from '#test/support/factories.ts'
import { openProcesses, type Processes, SECRET_KEYS } from '#test/support/processes.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { NETWORKS } from '#test/support/shape.ts'
import { openWorld } from '#test/support/world.ts'
import { plantStorms, stormyPlace } from '../domain/reports/storms.ts'

/** Requested at once. */
const REPORTS = 20
const KILLS = 4
/** A failed render is retried after 10, 20, 40 and 80 s. */
const SETTLED_WITHIN_MS = 180_000
/** Two pages of a browser, and its own overhead. */
const BROWSER_MB = 1_000
/** A process for each of two pages, and spare ones; as many again from a killed browser that have not exited yet. */
const DRAWING = 10

let folder: string
let noted: NotedBrowser
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  folder = await mkdtemp(path.join(os.tmpdir(), 'browser-faults-'))
  noted = await notedBrowser(folder)
})
afterAll(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

it(`${REPORTS} documents at once on two pages, while their browser is killed ${KILLS} times: each is printed once and announced once`, {
  timeout: 400_000,
}, async () => {
  const { processes, token } = await openService(120)
  const watch = watchBrowser()
  try {
    const ids = await Promise.all(Array.from({ length: REPORTS }, (_, n) => ask(processes, token, n)))
    for (let kill = 0; kill < KILLS; kill++) {
      const alive = await awaited(async () => (await noted.started())[kill] ?? false)
      // Some are printed, most are not: two are on the browser's pages.
      await awaited(async () => (await countOf(processes, 'documents')) > 2 * kill)
      process.kill(alive, 'SIGKILL')
    }
    const documents = await Promise.all(ids.map((id) => documentOf(processes, token, id)))
    expect(documents.every((bytes) => bytes.subarray(0, 5).toString() === '%PDF-')).toBe(true)
    expect((await noted.started()).length).toBeGreaterThan(KILLS)
    expect(await countOf(processes, 'documents')).toBe(REPORTS)
    expect(await countOf(processes, "events WHERE name = 'report.pdf_ready'")).toBe(REPORTS)
    await waitForIdle(processes, SETTLED_WITHIN_MS)
    await expectConsistent(processes)
    expect(await countOf(processes, "deliveries WHERE event = 'report.pdf_ready'")).toBe(REPORTS)
    const { mb, drawing } = watch.end()
    console.info(`the browser at most: ${mb} MB, ${drawing} processes for pages`)
    expect(mb).toBeLessThan(BROWSER_MB)
    expect(drawing).toBeLessThanOrEqual(DRAWING)
  } finally {
    watch.end()
    await processes.close()
  }
})

it('without a browser the document is reported as unavailable; once there is one it is printed', { timeout: 300_000 }, async () => {
  const hiddenProgram = `${noted.program}-elsewhere`
  await rename(noted.program, hiddenProgram)
  const { processes, token } = await openService(3)
  try {
    const id = await ask(processes, token, 0)
    const answer = await awaited(async () => {
      const found = await pdf(processes, token, id)
      return found.status === 503 && found
    })
    expect([answer.headers.get('retry-after'), ((await answer.json()) as { code: string }).code]).toEqual(['60', 'engine_unavailable'])
    expect(await processes.query('SELECT pdf_status FROM reports')).toEqual([{ pdf_status: 'failed' }])
    await rename(hiddenProgram, noted.program)
    await awaited(async () => (await countOf(processes, 'documents')) === 1)
    expect((await pdf(processes, token, id)).status).toBe(200)
    expect(await countOf(processes, "events WHERE name = 'report.pdf_ready'")).toBe(1)
    await waitForIdle(processes, SETTLED_WITHIN_MS)
    await expectConsistent(processes)
    expect(await countOf(processes, "deliveries WHERE event = 'report.pdf_ready'")).toBe(1)
  } finally {
    await processes.close()
  }
})

/**
 * The service with one worker, and a token of a team that receives the events of reports and documents; every
 * requested report cites so many records.
 */
async function openService(records: number): Promise<{ processes: Processes; token: string }> {
  const world = await openWorld({ config: { webhook_allowed_networks: [NETWORKS], secret_keys: SECRET_KEYS } })
  await plantStorms(world, records)
  const team = await aTeam(world)
  const { token } = await aToken(world, team)
  await aDestination(world, team, receiver.url, ['report.completed', 'report.pdf_ready'])
  const processes = await openProcesses(world.app.config.database_url, {
    PUPPETEER_EXECUTABLE_PATH: noted.program,
    WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
  })
  processes.start('api')
  processes.start('worker')
  await processes.ready()
  return { processes, token }
}

async function ask({ base_url }: Processes, token: string, n: number): Promise<string> {
  const { address, radius_miles } = stormyPlace
  const answer = await fetch(`${base_url}/api/v1/reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ address, radius_miles, window_start: '2022-01-01', window_end: '2024-12-31', reference: String(n) }),
  })
  if (answer.status !== 202) throw new Error(`the report was answered with ${answer.status}`)
  return ((await answer.json()) as { data: { id: string } }).data.id
}

const pdf = ({ base_url }: Processes, token: string, id: string) =>
  fetch(`${base_url}/api/v1/reports/${id}/pdf`, { headers: { authorization: `Bearer ${token}` } })

const documentOf = (processes: Processes, token: string, id: string): Promise<Buffer> =>
  awaited(async () => {
    const answer = await pdf(processes, token, id)
    return answer.status === 200 && Buffer.from(await answer.arrayBuffer())
  })

const countOf = async (processes: Processes, of: string) =>
  (await processes.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${of}`))[0]?.n ?? 0

/** Repeats a request until it succeeds. */
async function awaited<Value>(ask: () => Promise<Value | false>): Promise<Value> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await pause(100)) {
    const found = await ask()
    if (found !== false) return found
  }
  throw new Error('it did not come in time')
}

/** The peak memory of a browser and its children, with each page of memory counted once, and how many of them rendered pages. */
function watchBrowser(): { end(): { mb: number; drawing: number } } {
  const peak = { mb: 0, drawing: 0 }
  const timer = setInterval(async () => {
    const family = familyOf(await noted.started())
    const memory = await Promise.all(family.map(({ pid }) => proportionalKb(pid)))
    peak.mb = Math.max(peak.mb, Math.round(memory.reduce((sum, kb) => sum + kb, 0) / 1024))
    peak.drawing = Math.max(peak.drawing, family.filter(({ program }) => program.includes('--type=renderer')).length)
  }, 250)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}

/** The processes with these ids, and all of their children. */
function familyOf(pids: number[]): { pid: number; program: string }[] {
  const family = new Set(pids)
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='])
    .toString()
    .split('\n')
    .map((row) => /^ *(\d+) +(\d+) (.*)$/.exec(row))
    .filter((row) => row !== null)
    .map(([, pid, parent, program]) => ({ pid: Number(pid), parent: Number(parent), program: program as string }))
    .sort((one, other) => one.pid - other.pid)
  for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid)
  return rows.filter(({ pid }) => family.has(pid))
}

/** A process's memory as Linux reports it, with its share of shared memory; 0 on other systems and for a process that has exited. */
async function proportionalKb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss: +(\d+)/m.exec(rollup)?.[1] ?? 0)
}
