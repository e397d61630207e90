import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { MINUTE, SECOND } from '#test/support/clock.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { evidenceIn } from '#test/support/pdf.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { sweep } from '#workers/sweeper.ts'

let world: World
let rest: Rest
let token: string
let id: string
/** The path of its document's file in the store. */
let file: string

beforeAll(async () => {
  // Files are damaged in place: the store is a folder.
  world = await openWorld({ config: { rate_limit_per_minute: 10_000, bucket: null } })
  await seedSample(world.app)
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
})
afterAll(async () => {
  await rest.close()
  await world.close()
})
beforeEach(async () => {
  world.clock.advance(MINUTE)
  const { address, window_start, window_end } = sampleStorm
  id = (await rest.call('POST', '/reports', { token, body: { address, window_start, window_end } })).body.data.id
  await world.drain()
  file = await fileOf(id)
})

const pdf = () => rest.fastify.inject({ url: `/api/v1/reports/${id}/pdf`, headers: { authorization: `Bearer ${token}` } })
const link = () => rest.call('POST', `/reports/${id}/pdf/link`, { token })
const report = async () => (await rest.call('GET', `/reports/${id}`, { token })).body.data
const credits = async () => (await rest.call('GET', '/credits', { token })).body
const preparing = { object: 'pdf', status: 'preparing', retry_after: 5 }

async function fileOf(report_id: string): Promise<string> {
  const folder = path.join(world.app.config.blobs, 'reports', report_id)
  const names = await readdir(folder)
  expect(names).toHaveLength(1)
  return path.join(folder, names[0] as string)
}

async function prints(): Promise<number> {
  return world.app.db.outboxJob.count({ where: { name: 'report.render' } })
}

/** State that a reprint does not change. */
async function reportState() {
  const { fingerprint, findings, headline, event_count } = await report()
  const emitted = await world.app.db.event.findMany({ orderBy: { created_at: 'asc' }, select: { name: true } })
  return { fingerprint, findings, headline, event_count, credits: await credits(), emitted }
}

describe('a document that is missing from the store', () => {
  const faults: [what: string, spoil: () => Promise<unknown>][] = [
    ['its file was removed', () => rm(file)],
    ['its folder was removed', () => rm(path.dirname(file), { recursive: true })],
    ['the whole store was removed', () => rm(world.app.config.blobs, { recursive: true })],
    ['its file is empty', () => writeFile(file, '')],
    ['its file was cut short', async () => writeFile(file, (await readFile(file)).subarray(0, -1))],
    ['one byte was changed', async () => writeFile(file, (await readFile(file)).fill(0, 100, 101))],
  ]
  it.each(faults)('is printed again if %s: 202, then 200, without a new charge or announcement', async (_what, spoil) => {
    const [before, first] = [await reportState(), await pdf()]
    expect(first.statusCode).toBe(200)
    await spoil()
    const answer = await pdf()
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([202, preparing, '5'])
    expect((await report()).pdf).toEqual({ status: null, rendered_at: null })
    await world.drain()
    const again = await pdf()
    expect(again.statusCode).toBe(200)
    expect((await report()).pdf).toEqual({ status: 'ready', rendered_at: expect.any(String) })
    const evidence = await evidenceIn(again.rawPayload)
    expect(createHash('sha256').update(evidence).digest('hex')).toBe(before.fingerprint)
    expect(evidence).toEqual(await evidenceIn(first.rawPayload))
    await fileOf(id)
    expect(await reportState()).toEqual(before)
  })

  it('is printed again if its row is missing, too', async () => {
    await world.app.db.document.deleteMany({ where: { report_id: id } })
    expect((await pdf()).statusCode).toBe(202)
    await world.drain()
    expect((await pdf()).statusCode).toBe(200)
  })

  it('is printed once for any number of concurrent requests', async () => {
    await rm(file)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => (nth % 2 ? pdf() : link())))
    for (const answer of answers) expect('statusCode' in answer ? answer.statusCode : answer.status).toBe(202)
    expect(await prints()).toBe(1)
    await world.drain()
    expect((await pdf()).statusCode).toBe(200)
  })

  it('is printed again for an existing link', async () => {
    const { body } = await link()
    const { pathname } = new URL(body.url)
    await rm(file)
    const answer = await rest.fastify.inject(pathname)
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([202, preparing, '5'])
    // A browser waits without being asked to.
    const waiting = await rest.fastify.inject({ url: pathname, headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([waiting.statusCode, waiting.headers.refresh, waiting.headers['content-type']]).toEqual([202, '5', 'text/html; charset=utf-8'])
    expect(await prints()).toBe(1)
    await world.drain()
    const again = await rest.fastify.inject(pathname)
    expect([again.statusCode, again.rawPayload]).toEqual([200, (await pdf()).rawPayload])
  })

  it('cannot get a new link', async () => {
    await rm(file)
    expect(await link()).toMatchObject({ status: 202, body: preparing })
    await world.drain()
    const made = await link()
    expect(made.status).toBe(200)
    expect((await rest.fastify.inject(new URL(made.body.url).pathname)).rawPayload).toHaveLength(made.body.bytes)
  })

  it('is queued again after its job was lost, by the sweeper and by a waiting request', async () => {
    for (const ask of [() => sweep(world.app), pdf]) {
      await rm(await fileOf(id))
      expect((await pdf()).statusCode).toBe(202)
      await world.app.db.outboxJob.deleteMany()
      world.clock.advance(59 * SECOND)
      await ask()
      expect(await prints()).toBe(0)
      world.clock.advance(2 * SECOND)
      await ask()
      await ask()
      expect(await prints()).toBe(1)
      await world.drain()
      expect((await pdf()).statusCode).toBe(200)
    }
  })

  it('is not treated as missing if the store cannot be read: 503, to be retried later', async () => {
    const folder = path.dirname(file)
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file where a folder was')
    const answer = await pdf()
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(await prints()).toBe(0)
    await rm(folder)
    await mkdir(folder)
    expect((await pdf()).statusCode).toBe(202)
    await world.drain()
  })
})
