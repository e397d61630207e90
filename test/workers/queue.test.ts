import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '#domain/engines/log.ts'
import { openLink } from '#test/support/link.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { QUEUE_CONNECTIONS } from '#workers/database-store.ts'
import { jobs } from '#workers/jobs.ts'
import { type JobQueue, openQueue, type QueueEntry, type Rules } from '#workers/queue.ts'

let world: World
let redis: RedisServer
beforeAll(async () => {
  world = await openWorld()
  if (redisIsHere) redis = await startRedis()
})
afterAll(() => redis?.stop())

/** Settings that fail fast. */
const rules: Rules = {
  ...jobs,
  'report.generate': { attempts: 3, backoff: 20, concurrency: 4 },
  'property.locate': { attempts: 1, backoff: 20, concurrency: 1 },
  'plan.renew': { attempts: 1, backoff: 20, concurrency: 1 },
  sweep: { attempts: 1, backoff: 20, concurrency: 1 },
}
const entry = (report_id: string): QueueEntry => ({ name: 'report.generate', payload: { report_id } })

for (const backend of redisIsHere ? ['database', 'redis'] : ['database']) {
  describe(backend, () => {
    let opened: JobQueue[] = []
    const open = async () => {
      const queue = await openQueue(
        { database_direct_url: world.app.config.database_direct_url, redis_url: backend === 'redis' ? redis.url : null },
        world.app.log,
        rules,
      )
      opened.push(queue)
      return queue
    }
    beforeEach(() => {
      opened = []
    })
    afterEach(() => Promise.all(opened.map((queue) => queue.close())))

    test('an added job is done once, by any worker, with its payload', async () => {
      const [one, other] = [await open(), await open()]
      const done: string[] = []
      for (const queue of [one, other]) {
        queue.work(async ({ name, payload }) => {
          done.push(`${name} ${(payload as { report_id: string }).report_id}`)
        })
      }
      await one.add(Array.from({ length: 40 }, (_, number) => entry(String(number))))
      await expect.poll(() => done.length).toBe(40)
      expect(new Set(done)).toEqual(new Set(Array.from({ length: 40 }, (_, number) => `report.generate ${number}`)))
    })

    test('a job waits until a worker starts', async () => {
      await (await open()).add([entry('early')])
      const done: string[] = []
      ;(await open()).work(async ({ payload }) => {
        done.push((payload as { report_id: string }).report_id)
      })
      await expect.poll(() => done).toEqual(['early'])
    })

    test('a job is delayed until it is due, with or without a worker, and delays no other', async () => {
      const queue = await open()
      const HELD_MS = 700
      const delayed = (report_id: string): QueueEntry => ({ ...entry(report_id), delay_ms: HELD_MS })
      const added = new Date()
      await queue.add([delayed('before'), entry('at once')])
      const done: { id: string; at: Date; due_at: Date }[] = []
      queue.work(async ({ payload, due_at }) => {
        done.push({ id: (payload as { report_id: string }).report_id, at: new Date(), due_at })
      })
      await expect.poll(() => done.map(({ id }) => id)).toContain('at once')
      await queue.add([delayed('while it waits')])
      await expect.poll(() => done.map(({ id }) => id)).toEqual(['at once', 'before', 'while it waits'])
      for (const { at, due_at } of done.slice(1)) {
        expect(at.getTime() - added.getTime()).toBeGreaterThanOrEqual(HELD_MS)
        // The time waiting for a worker is counted from then on.
        expect(due_at.getTime() - added.getTime()).toBeGreaterThanOrEqual(HELD_MS)
      }
    })

    test('a failing job is tried as often as its row allows, and the last try is marked as such', async () => {
      const queue = await open()
      const tries: [last: boolean, restarted: boolean | undefined][] = []
      queue.work(async ({ restarted }, last) => {
        tries.push([last, restarted])
        throw new Error('fails')
      })
      await queue.add([entry('poison')])
      await expect
        .poll(() => tries)
        .toEqual([
          [false, false],
          [false, true],
          [true, true],
        ])
    })

    test('a job during which too many workers died is not run again, but handed over as such', async () => {
      const queue = await open()
      await queue.add([entry('deadly'), entry('harmless')])
      // As the store marks a job that has stalled too often.
      const reason = 'job stalled more than allowable limit'
      if (backend === 'database')
        await world.owner.query("UPDATE bullmq.job SET deferred_failure = $1 WHERE data ->> 'report_id' = 'deadly'", [reason])
      else {
        const admin = new Redis(redis.url)
        await admin.hset('bull:report.generate:report-deadly', 'defa', reason)
        admin.disconnect()
      }
      const [done, crashed]: [unknown[], unknown[]] = [[], []]
      queue.work(
        async ({ payload }) => void done.push(payload),
        ['report.generate'],
        async ({ payload }) => void crashed.push(payload),
      )
      await expect.poll(() => [done, crashed]).toEqual([[{ report_id: 'harmless' }], [{ report_id: 'deadly' }]])
    })

    test('a scheduled job waits once, however long nobody takes it', async () => {
      const queue = await open()
      const due: QueueEntry = { name: 'sweep', payload: {} }
      for (let turn = 0; turn < 5; turn++) await queue.add([due])
      let done = 0
      queue.work(async () => {
        done += 1
      })
      await expect.poll(() => done).toBe(1)
      const left = async () => (await queue.depths()).find(({ name }) => name === 'sweep')?.counts
      await expect.poll(left).toMatchObject({ waiting: 0, active: 0 })
      await queue.add([due])
      await expect.poll(() => done).toBe(2)
    })

    test.runIf(backend === 'redis')('is unavailable while Redis refuses writes, and available again once it takes them', async () => {
      const queue = await open()
      const admin = new Redis(redis.url)
      try {
        await admin.config('SET', 'maxmemory', '1')
        await expect(queue.add([entry('refused')])).rejects.toThrow('OOM')
        await expect.poll(() => queue.isUnavailable()).toBe(true)
        await admin.config('SET', 'maxmemory', '0')
        await expect.poll(() => queue.isUnavailable()).toBe(false)
        await queue.add([entry('taken')])
        const done: string[] = []
        queue.work(async ({ payload }) => void done.push((payload as { report_id: string }).report_id))
        await expect.poll(() => done).toEqual(['taken'])
      } finally {
        await admin.config('SET', 'maxmemory', '0')
        admin.disconnect()
      }
    })

    test('a job without an id of its own can be added again, during its run and after', async () => {
      const queue = await open()
      const again: QueueEntry = { name: 'plan.renew', payload: {} }
      let done = 0
      queue.work(async () => {
        done += 1
      })
      await queue.add([again, again])
      await expect.poll(() => done).toBe(2)
      await queue.add([again])
      await expect.poll(() => done).toBe(3)
    })

    test('a report has one job of a kind in the queue, however often it is issued again while it waits', async () => {
      const queue = await open()
      const render = (report_id: string): QueueEntry => ({ name: 'report.render', payload: { report_id } })
      for (let sweep = 0; sweep < 3; sweep++) await queue.add([render('a'), render('b'), { ...render('a'), name: 'report.generate' }])
      const waiting = async (kind: string) => (await queue.depths()).find(({ name }) => name === kind)?.counts.waiting
      expect([await waiting('report.render'), await waiting('report.generate')]).toEqual([2, 1])
      const rendered: unknown[] = []
      queue.work(async ({ payload }) => void rendered.push((payload as { report_id: string }).report_id), ['report.render'])
      await expect.poll(() => rendered.length).toBe(2)
      await queue.add([render('a')])
      await expect.poll(() => rendered.length).toBe(3)
    })

    test('the digest of a morning has one job in the queue, however often it is issued again', async () => {
      const queue = await open()
      const digest = (team_id: string, local_date: string): QueueEntry => ({ name: 'digest.send', payload: { team_id, local_date } })
      const mornings = [digest('a', '2026-05-20'), digest('a', '2026-05-21'), digest('b', '2026-05-20')]
      for (let sweep = 0; sweep < 3; sweep++) await queue.add(mornings)
      expect((await queue.depths()).find(({ name }) => name === 'digest.send')?.counts.waiting).toBe(3)
      const made: unknown[] = []
      queue.work(async ({ payload }) => void made.push(payload), ['digest.send'])
      await expect.poll(() => made.length).toBe(3)
    })

    test('a durable job is in the queue once, however often it is issued again', async () => {
      const queue = await open()
      const mail = (lasting_id: number): QueueEntry => ({ name: 'sign_in_link.mail', payload: { lasting_id, link_id: String(lasting_id) } })
      const many = Array.from({ length: 20 }, (_, nth) => mail(nth + 1))
      await queue.add([mail(1), mail(2)])
      await queue.add([mail(1), mail(2)])
      const started: unknown[] = []
      const ends: (() => void)[] = []
      queue.work(
        async ({ payload }) => {
          started.push((payload as { lasting_id: number }).lasting_id)
          await new Promise<void>((done) => ends.push(done))
        },
        ['sign_in_link.mail'],
      )
      await expect.poll(() => started.length).toBe(2)
      await queue.add([mail(1), mail(2), mail(3)])
      await expect.poll(() => started).toEqual([1, 2, 3])
      for (const end of ends.splice(0)) end()
      // In bulk, with one of them named twice.
      await queue.add([mail(4), mail(5)])
      await expect.poll(() => started.length).toBe(5)
      await queue.add([...many.slice(3), mail(20)])
      const endAll = setInterval(() => ends.splice(0).map((end) => end()), 20)
      await expect
        .poll(async () => (await queue.depths()).find(({ name }) => name === 'sign_in_link.mail')?.counts)
        .toMatchObject({ waiting: 0, active: 0 })
      expect(started.toSorted()).toEqual(many.map(({ payload }) => (payload as { lasting_id: number }).lasting_id).toSorted())
      await queue.add([mail(1)])
      await expect.poll(() => started.slice(20)).toEqual([1])
      clearInterval(endAll)
      for (const end of ends) end()
    })

    test('jobs of one name run in parallel up to their limit, and jobs of another name do not wait for them', async () => {
      const queue = await open()
      let [atWork, most, swept] = [0, 0, 0]
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      queue.work(async ({ name }) => {
        if (name === 'sweep') {
          swept += 1
          return
        }
        most = Math.max(most, ++atWork)
        await released
        atWork -= 1
      })
      await queue.add(Array.from({ length: 9 }, (_, number) => entry(`side ${number}`)))
      await expect.poll(() => most).toBe(4)
      await queue.add([{ name: 'sweep', payload: {} }])
      await expect.poll(() => swept).toBe(1)
      expect(most).toBe(4)
      release()
      await expect.poll(() => atWork).toBe(0)
    })

    test('jobs are done in order of their turns, and the queue reports the next turn', async () => {
      const queue = await open()
      const withTurn = (turn: number, property_id: string): QueueEntry => ({ name: 'property.locate', payload: { property_id }, turn })
      await queue.add(Array.from({ length: 30 }, (_, place) => withTurn(place + 1, `many ${place}`)))
      await queue.add([withTurn(1, 'another'), withTurn(12, 'late'), withTurn(0, 'of all')])
      expect(await queue.nextTurn('property.locate')).toBe(1)
      expect((await queue.depths()).find(({ name }) => name === 'property.locate')).toMatchObject({
        counts: { waiting: 33, active: 0, delayed: 0 },
        waiting_since: expect.any(Date),
      })
      const done: string[] = []
      queue.work(
        async ({ payload }) => {
          done.push((payload as { property_id: string }).property_id)
        },
        ['property.locate'],
      )
      await expect.poll(() => done.length).toBe(33)
      expect(done.slice(0, 4)).toEqual(['of all', 'many 0', 'another', 'many 1'])
      expect(done.indexOf('late')).toBe(done.indexOf('many 11') + 1)
      expect(await queue.nextTurn('property.locate')).toBeNull()
    })

    test.each([1, 3, 12])('%i jobs that are added together are done in the order added', async (many) => {
      const queue = await open()
      const coming = Array.from({ length: many }, (_, nth): QueueEntry => ({ name: 'plan.renew', payload: { nth } }))
      await queue.add(coming)
      const done: object[] = []
      queue.work(async ({ payload }) => void done.push(payload), ['plan.renew'])
      await expect.poll(() => done.length).toBe(many)
      expect(done).toEqual(coming.map(({ payload }) => payload))
    })

    test('closing waits for the running job', async () => {
      const queue = await open()
      let [started, ended] = [false, false]
      queue.work(async () => {
        started = true
        await new Promise((resolve) => setTimeout(resolve, 50))
        ended = true
      })
      await queue.add([entry('slow')])
      await expect.poll(() => started).toBe(true)
      await queue.close()
      opened = opened.filter((other) => other !== queue)
      expect(ended).toBe(true)
    })
  })
}

test('docs/settings.md states how many connections a queue in the database opens', async () => {
  expect(await readFile('docs/settings.md', 'utf8')).toContain(`up to ${QUEUE_CONNECTIONS} more for the queue`)
})

test('a worker that cannot reach the database at its start takes jobs once it can', async () => {
  const url = new URL(world.app.config.database_direct_url)
  const to = Number(url.port)
  const link = await openLink(to)
  url.port = String(link.port)
  const queue = await openQueue({ database_direct_url: url.href, redis_url: null }, world.app.log, rules)
  await link.close()
  const done: unknown[] = []
  queue.work(async ({ payload }) => void done.push(payload), ['sweep'])
  await pause(300)
  const mended = await openLink(to, link.port)
  await expect.poll(() => queue.add([{ name: 'sweep', payload: {} }]).then(() => true)).toBe(true)
  await expect.poll(() => done).toEqual([{}])
  await queue.close()
  await mended.close()
})

test('jobs are refused at once while the store is down', async () => {
  const queue = await openQueue(
    { database_direct_url: world.app.config.database_direct_url, redis_url: 'redis://127.0.0.1:9' },
    world.app.log,
    rules,
  )
  await expect(queue.add([entry('lost')])).rejects.toThrow()
  await queue.close()
})

test('a store that is away is logged once, not by each of its queues and workers', async () => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => lines.push(line) })
  const { database_direct_url } = world.app.config
  const queue = await openQueue({ database_direct_url, redis_url: 'redis://127.0.0.1:1/0' }, log)
  queue.work(async () => {})
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  await pause(1500)
  const reasons = lines.map((line) => JSON.parse(line).reason)
  expect(reasons).toEqual([...new Set(reasons)])
  void queue.close().catch(() => {})
})
