import { beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { NO_CHANGES } from '#domain/exposures/detection-counts.ts'
import { withDetectionLock } from '#domain/exposures/with-detection-lock.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { sendDigest, stageDigests } from '#domain/integrations/digest.ts'
import { findFailedDigest } from '#domain/integrations/digest-mail.ts'
import { isDropped, reissueDurable } from '#domain/kernel/durable-jobs.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { readInTransaction } from '#test/support/read-in-transaction.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

const HOUR = 3_600_000
let world: World
let team: Team
let caller: Caller
let away: boolean
const mailed: { to: string; subject: string; text: string; message_id?: string }[] = []
/** Message-ID of each try, also of those that the server did not accept. */
const tried: (string | undefined)[] = []
beforeEach(async () => {
  mailed.length = 0
  tried.length = 0
  away = false
  const send = async (message: (typeof mailed)[number]) => {
    tried.push(message.message_id)
    if (away) throw Object.assign(new Error('the server is away'), { code: 'ECONNECTION' })
    mailed.push(message)
  }
  const mail = { configured: true, send, close: () => {} }
  world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] }, replace: { mail } })
  team = await aTeam(world, { timezone: 'America/Chicago', email: 'team@example.com' })
  caller = await aCaller(world, team)
})

it("is sent at seven in the team's time zone, once, as one post and one e-mail", async () => {
  const receiver = await openReceiver()
  await registerDestination(world.app, caller, { name: 'All', channel: 'webhook', url: receiver.url, events: ['digest.sent'] })
  // 06:59 in Chicago, in daylight saving time.
  world.clock.set(new Date('2026-05-20T11:59:00Z'))
  await seen('2026-05-19T20:00:00Z')
  await seen('2026-05-18T20:00:00Z')
  await morning()
  expect(receiver.posts).toHaveLength(0)
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await morning()
  await morning()
  const posts = receiver.posts.map(({ body }) => JSON.parse(body))
  expect(posts).toMatchObject([
    {
      kind: 'digest',
      event: 'digest.sent',
      headline: '1 storm exposure in the 24 hours to 7 AM',
      totals: { exposures: 1, properties: 1, territories: 0, warnings: 0 },
      period: { from: '2026-05-19T12:00:00.000Z', to: '2026-05-20T12:00:00.000Z' },
      data: [{ object: 'exposure', headline: 'Hail up to 1.75 in reported 0.8 mi NNE of HQ on 2026-05-19' }],
    },
  ])
  expect(mailed).toMatchObject([{ to: 'team@example.com', subject: '1 storm exposure in the 24 hours to 7 AM' }])
  await receiver.close()
})

it('begins where the last one ended: late or across a clock change, nothing is missed or repeated', async () => {
  await seen('2026-10-31T11:59:59Z')
  await seen('2026-10-31T12:30:00Z')
  await seen('2026-11-01T13:00:05Z')
  for (const at of ['2026-10-31T15:00:00Z', '2026-11-01T13:00:10Z', '2026-11-02T13:20:00Z']) {
    world.clock.set(new Date(at))
    await morning()
  }
  const placed = mailed.map(({ text }) => text.match(/on 2026-\d\d-\d\d/g))
  expect(placed).toEqual([['on 2026-10-31'], ['on 2026-10-31'], ['on 2026-11-01']])
  expect(mailed.map(({ subject }) => subject.replace(/^1 storm exposure in the /, ''))).toEqual([
    '24 hours to 7 AM',
    '25 hours to 7 AM',
    '24 hours to 7 AM',
  ])
  expect(mailed[1]?.text).toContain('From 2026-10-31, 7:00 AM CDT to 2026-11-01, 7:00 AM CST,')
})

it.each([
  {
    zone: 'America/Los_Angeles',
    next: '2026-05-20T14:00:30.000Z',
    hours: 26,
    period: '2026-05-19, 5:00 AM PDT to 2026-05-20, 7:00 AM PDT',
  },
  { zone: 'America/New_York', next: '2026-05-20T11:00:30.000Z', hours: 23, period: '2026-05-19, 8:00 AM EDT to 2026-05-20, 7:00 AM EDT' },
])('begins where the last one ended after the team moved to $zone', async ({ zone, next, hours, period }) => {
  await seen('2026-05-19T11:30:00Z')
  await seen('2026-05-19T13:00:00Z')
  world.clock.set(new Date('2026-05-19T12:00:30Z'))
  await morning()
  await world.app.db.team.update({ where: { id: team.id }, data: { timezone: zone } })
  world.clock.set(new Date(next))
  await morning()
  expect(mailed.map(({ subject }) => subject)).toEqual([
    '1 storm exposure in the 24 hours to 7 AM',
    `1 storm exposure in the ${hours} hours to 7 AM`,
  ])
  expect(mailed[1]?.text).toContain(`From ${period},`)
})

it.each([
  { without: 'without a digest', day: '2026-05-20T17:00:00Z', stored: [] },
  { without: 'whose digest was too late', day: '2026-05-20T12:00:30Z', stored: [['2026-05-20', 'skipped']] },
])('makes up for a morning $without', async ({ day, stored }) => {
  await seen('2026-05-19T13:00:00Z')
  world.clock.set(new Date('2026-05-19T12:00:30Z'))
  await morning()
  world.clock.set(new Date(day))
  await stageDigests(world.app)
  world.clock.advance(6 * HOUR)
  await world.drain()
  world.clock.set(new Date('2026-05-21T12:00:30Z'))
  await morning()
  expect(await storedDigests()).toEqual([['2026-05-19', 'empty'], ...stored, ['2026-05-21', 'sent']])
  expect(mailed).toMatchObject([{ subject: '1 storm exposure in the 48 hours to 7 AM' }])
})

it("makes up for a team's first morning, too", async () => {
  await world.app.db.team.updateMany({ data: { created_at: new Date('2026-05-18T13:00:00Z') } })
  await seen('2026-05-18T14:00:00Z')
  world.clock.set(new Date('2026-05-19T12:00:30Z'))
  await stageDigests(world.app)
  world.clock.advance(6 * HOUR)
  await world.drain()
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await morning()
  expect(await storedDigests()).toEqual([
    ['2026-05-19', 'skipped'],
    ['2026-05-20', 'sent'],
  ])
  expect(mailed).toMatchObject([{ subject: '1 storm exposure in the 47 hours to 7 AM' }])
})

it.each([
  { last: '2026-05-19', hours: 96 },
  { last: '2026-05-15', hours: 168 },
])('makes up for the mornings since $last, of a week at most', async ({ last, hours }) => {
  await seen('2026-05-16T11:59:00Z')
  await seen('2026-05-19T13:00:00Z')
  for (const at of [`${last}T12:00:30Z`, '2026-05-23T12:00:30Z']) {
    world.clock.set(new Date(at))
    await morning()
  }
  expect(mailed.at(-1)).toMatchObject({ subject: `1 storm exposure in the ${hours} hours to 7 AM` })
})

it('includes an announcement made right before seven, however long its commit takes', async () => {
  await seen('2026-05-20T11:59:59Z', null)
  world.clock.set(new Date('2026-05-20T12:00:02Z'))
  const at = '2026-05-20T11:59:59.900Z'
  let [begin, end] = [() => {}, () => {}]
  const started = new Promise<void>((resume) => {
    begin = resume
  })
  const over = new Promise<void>((resume) => {
    end = resume
  })
  const detecting = withDetectionLock(world.app, team.id, async (tx) => {
    await tx.exposure.updateMany({ where: { team_id: team.id }, data: { last_seen_at: at, notified_at: at } })
    begin()
    await over
    return NO_CHANGES
  })
  await started
  const digests = morning()
  const waits = async () => (await lockWaits(world.owner)) > 0
  await waitUntil(async () => (await storedDigests()).length > 0 || (await waits()))
  end()
  await Promise.all([detecting, digests])
  expect(mailed).toMatchObject([{ subject: '1 storm exposure in the 24 hours to 7 AM' }])
})

it('includes what a worker whose clock is behind announces right after seven', async () => {
  world.clock.set(new Date('2026-05-20T12:00:00.400Z'))
  await morning()
  await seen('2026-05-20T11:59:59.900Z')
  for (const at of ['2026-05-20T12:00:15.400Z', '2026-05-21T12:00:30Z']) {
    world.clock.set(new Date(at))
    await morning()
  }
  expect(mailed).toMatchObject([{ subject: '1 storm exposure in the 24 hours to 7 AM' }])
})

it('is not made for a team that moved to a time zone where it is not seven yet', async () => {
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await seen('2026-05-20T08:00:00Z')
  await stageDigests(world.app)
  await world.app.db.team.update({ where: { id: team.id }, data: { timezone: 'America/Los_Angeles' } })
  await world.drain()
  expect([await storedDigests(), mailed]).toEqual([[], []])
})

it('leaves out silently recorded exposures, and includes those announced since', async () => {
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await seen('2026-05-20T08:00:00Z', null)
  await seen('2026-05-10T08:00:00Z', '2026-05-20T09:00:00Z')
  await morning()
  expect(mailed).toMatchObject([{ subject: '1 storm exposure in the 24 hours to 7 AM' }])
  expect(mailed[0]?.text).toContain('of HQ on 2026-05-10')
  expect(mailed[0]?.text).not.toContain('of HQ on 2026-05-20')
})

it('includes a storm day again on the morning after it grew, once', async () => {
  await seen('2026-05-19T11:00:00Z')
  for (const at of ['2026-05-19T12:00:30Z', '2026-05-20T12:00:30Z', '2026-05-21T12:00:30Z']) {
    world.clock.set(new Date(at))
    await morning()
    const grown = { headline: 'Hail up to 2.75 in', last_seen_at: '2026-05-19T15:00:00Z', escalated_at: '2026-05-19T15:00:00Z' }
    await world.app.db.exposure.updateMany({ where: { team_id: team.id }, data: grown })
  }
  expect(await storedDigests()).toEqual([
    ['2026-05-19', 'sent'],
    ['2026-05-20', 'sent'],
    ['2026-05-21', 'empty'],
  ])
  expect(mailed.map(({ text }) => text.match(/up to \S+ in/)?.[0])).toEqual(['up to 1.75 in', 'up to 2.75 in'])
})

it('is mailed once the mail server is back, and only once', async () => {
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await seen('2026-05-20T08:00:00Z')
  away = true
  await morning()
  expect([await storedDigests(), mailed]).toEqual([[['2026-05-20', 'sent']], []])
  away = false
  for (let sweep = 0; sweep < 2; sweep++) {
    await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 second'")
    await reissueDurable(world.app)
    await world.drain()
  }
  expect(mailed).toMatchObject([{ to: 'team@example.com', subject: '1 storm exposure in the 24 hours to 7 AM' }])
})

it.each([
  ['at seven', '2026-05-20T12:00:30Z', [1, 2, 4, 8, 15, 30, 60, 60, 60, 59], '2026-05-20T17:00:00Z'],
  ['at 11:58', '2026-05-20T16:58:00Z', [1, 2, 4, 8], '2026-05-20T17:14:00Z'],
])(
  'made %s is tried under one Message-ID until noon if the mail server is away, and then shown as failed',
  async (_, made, waits, last) => {
    world.clock.set(new Date(made))
    await seen('2026-05-20T08:00:00Z')
    away = true
    await morning()
    for (const minutes of waits) {
      expect(await findFailedDigest(world.app, caller)).toBeNull()
      const { rows } = await world.app.pool.query('SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM lasting_jobs')
      expect(rows).toEqual([{ minutes }])
      await tryAgain(minutes)
    }
    expect(tried).toHaveLength(waits.length + 1)
    expect(new Set(tried).size).toBe(1)
    const { id } = await world.app.db.event.findFirstOrThrow()
    expect(tried[0]).toBe(`<${id}@${new URL(world.app.config.base_url).hostname}>`)
    expect(world.clock.now().getTime()).toBeLessThan(Date.parse(last))
    expect(await world.app.db.durableJob.count()).toBe(0)
    expect(await findFailedDigest(world.app, caller)).toEqual({ date: '2026-05-20', failed_at: world.clock.now() })
    expect(await findFailedDigest(world.app, await aCaller(world, await aTeam(world)))).toBeNull()
    world.clock.set(new Date('2026-05-21T12:00:30Z'))
    away = false
    await seen('2026-05-21T08:00:00Z')
    await morning()
    expect(mailed).toHaveLength(1)
    expect(await findFailedDigest(world.app, caller)).toBeNull()
  },
)

it('carries the newest fifty of hundreds of exposures and counts all', async () => {
  const receiver = await openReceiver()
  await registerDestination(world.app, caller, { name: 'All', channel: 'webhook', url: receiver.url, events: ['digest.sent'] })
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await seenAtMany(300)
  const read: number[] = []
  const db = readInTransaction(world.app.db, (rows) => void read.push(rows.length))
  await sendDigest({ ...world.app, db }, { team_id: team.id, local_date: '2026-05-20' })
  await world.drain()
  expect(read).toEqual([50])
  const [post] = receiver.posts.map(({ body }) => JSON.parse(body))
  expect(post.totals).toEqual({ exposures: 300, properties: 300, territories: 0, warnings: 100 })
  const ids = (await world.app.db.exposure.findMany({ orderBy: [{ date: 'desc' }, { id: 'desc' }], take: 50 })).map(({ id }) => id)
  expect(post.data.map(({ id }: { id: number }) => id)).toEqual(ids)
  expect(post.exposure_ids).toEqual(ids)
  expect([post.headline, post.rows.length, post.rows.at(-1)]).toEqual(['300 storm exposures in the 24 hours to 7 AM', 21, 'And 280 more.'])
  await receiver.close()
})

it('is staged once while its job waits, and a repeated job reads nothing', async () => {
  world.clock.set(new Date('2026-05-20T12:00:30Z'))
  await seen('2026-05-20T08:00:00Z')
  await aTeam(world, { timezone: 'America/New_York' })
  for (let sweep = 0; sweep < 3; sweep++) await stageDigests(world.app)
  const staged = await world.app.db.outboxJob.findMany({ where: { name: 'digest.send' } })
  expect(staged).toHaveLength(2)
  const read: number[] = []
  const db = readInTransaction(world.app.db, (rows) => void read.push(rows.length))
  for (let run = 0; run < 3; run++) await sendDigest({ ...world.app, db }, { team_id: team.id, local_date: '2026-05-20' })
  expect(read).toEqual([1])
})

it('is kept for 90 days, and as long as none was made since', async () => {
  await world.app.db.digest.createMany({
    data: ['2026-01-01', '2026-01-31', '2026-02-19'].map((date) => ({
      team_id: team.id,
      local_date: new Date(date),
      status: 'empty',
      until: new Date(`${date}T13:00:00Z`),
    })),
  })
  const dates = async () => (await storedDigests()).map(([date]) => date)
  world.clock.set(new Date('2026-05-19T12:00:00Z'))
  await stageDigests(world.app)
  world.clock.advance(6 * HOUR)
  await world.drain()
  expect(await dates()).toEqual(['2026-01-01', '2026-01-31', '2026-02-19', '2026-05-19'])
  world.clock.set(new Date('2026-05-20T13:00:00Z'))
  await morning()
  expect(await dates()).toEqual(['2026-02-19', '2026-05-19', '2026-05-20'])
})

it('is not sent if nothing happened, or after noon', async () => {
  world.clock.set(new Date('2026-05-20T13:00:00Z'))
  await morning()
  expect(await storedDigests()).toEqual([['2026-05-20', 'empty']])
  world.clock.set(new Date('2026-05-21T12:00:00Z'))
  await seen('2026-05-21T08:00:00Z')
  await stageDigests(world.app)
  world.clock.advance(6 * HOUR)
  await world.drain()
  expect(await storedDigests()).toEqual([
    ['2026-05-20', 'empty'],
    ['2026-05-21', 'skipped'],
  ])
  expect(mailed).toEqual([])
})

async function morning() {
  await stageDigests(world.app)
  await world.drain()
}

/** Runs the job that waits, after the given minutes. */
async function tryAgain(minutes: number) {
  world.clock.advance(minutes * 60_000)
  await world.app.pool.query("UPDATE lasting_jobs SET due_at = now() - interval '1 second'")
  await reissueDurable(world.app)
  await world.drain().catch((fault: Error) => expect(isDropped(fault)).toBe(true))
}

async function storedDigests() {
  const rows = await world.app.db.digest.findMany({ orderBy: { local_date: 'asc' } })
  return rows.map(({ local_date, status }) => [local_date.toISOString().slice(0, 10), status])
}

/** A storm day at a place of its own. @param announced_at null: recorded silently */
async function seen(at: string, announced_at: string | null = at) {
  const property = await world.app.db.property.create({
    data: { team_id: team.id, label: 'HQ', query: `1 Main St ${at}`, query_key: `1 main st ${at}` },
  })
  const moment = new Date(at)
  await world.app.db.exposure.create({
    data: {
      team_id: team.id,
      kind: 'record',
      date: new Date(at.slice(0, 10)),
      property_id: property.id,
      first_seen_at: moment,
      last_seen_at: announced_at ?? moment,
      notified_at: announced_at,
      headline: `Hail up to 1.75 in reported 0.8 mi NNE of HQ on ${at.slice(0, 10)}`,
      reports: 1,
      sources: 1,
      hail: 1,
      evidence: ['ground'],
      record_ids: [1],
    },
  })
}

/** A storm day, or for every third a warning, at each of the given number of properties, one second apart. */
async function seenAtMany(places: number) {
  await world.app.pool.query(
    `WITH made AS (
       INSERT INTO properties (id, team_id, label, query, query_key)
       SELECT gen_random_uuid(), $1, 'P' || n, 'P' || n, 'p' || n FROM generate_series(1, $2::int) n RETURNING id, label)
     INSERT INTO exposures (team_id, kind, warning_key, date, property_id, headline, first_seen_at, last_seen_at, notified_at)
     SELECT $1, kind, CASE kind WHEN 'warning' THEN 'KFWD.SV.W.0142.2026' END, date '2026-05-19' + n % 2, id, 'Hail over ' || label, seen, seen, seen
       FROM made, LATERAL (SELECT substr(label, 2)::int AS n) of,
            LATERAL (SELECT CASE n % 3 WHEN 0 THEN 'warning' ELSE 'record' END AS kind, timestamptz '2026-05-20T11:00:00Z' + n * interval '1 s' AS seen) at`,
    [team.id, places],
  )
}
