import { expect, it } from 'vitest'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { teamGraph } from './team-graph.ts'

const STORM = '2026-05-20'

const here = teamGraph()

const QUOTED = 'property_count not_located_count window_start window_end radius_miles date_of_loss cost balance'
const quote = (args: string) => here.ask(`{ reportQuote(${args}) { ${QUOTED} } }`)
const order = (args: string) => here.ask(`mutation { orderReports(${args}) { report_ids credits_spent credits_remaining } }`)
const faultsOf = ({ errors }: Awaited<ReturnType<typeof quote>>) => errors?.[0]?.extensions.errors
const reports = () => here.world.app.db.report.findMany({ where: { team_id: here.team.id }, orderBy: { id: 'asc' } })

it('a tag is quoted and ordered: one pending report for each property, charged at one price, with matching ledger rows', async () => {
  const kept = [
    await aKeptProperty(here.world, here.team, { tags: ['North'] }),
    await aKeptProperty(here.world, here.team, { tags: ['north', 'flat'] }),
  ]
  await aKeptProperty(here.world, here.team, { tags: ['south'] })
  await aKeptProperty(here.world, here.team, { tags: ['north'], status: 'archived' })
  await aKeptProperty(here.world, here.team, { tags: ['north'], located: false, latitude: null, longitude: null, precision: null })
  await aKeptProperty(here.world, await aTeam(here.world), { tags: ['north'] })
  const args = 'tag: "NORTH", window_start: "2025-01-01", window_end: "2025-12-31", radius_miles: 3'
  expect((await quote(args)).data.reportQuote).toEqual({
    property_count: 2,
    not_located_count: 1,
    window_start: '2025-01-01',
    window_end: '2025-12-31',
    radius_miles: 3,
    date_of_loss: null,
    cost: 2,
    balance: 100,
  })
  expect(await reports()).toEqual([])
  const { data, errors } = await order(`${args}, cost: 2`)
  expect(errors).toBeUndefined()
  expect(data.orderReports).toMatchObject({ credits_spent: 2, credits_remaining: 98 })
  const made = await reports()
  expect(made.map(({ id }) => id)).toEqual(data.orderReports.report_ids)
  expect(made.map(({ property_id }) => property_id).sort()).toEqual(kept.map(({ id }) => id).sort())
  expect(made[0]).toMatchObject({ status: 'pending', radius_miles: 3, window_start: new Date('2025-01-01') })
  const charges = await here.world.app.db.creditTransaction.findMany({
    where: { team_id: here.team.id, kind: 'spend' },
    orderBy: { sequence: 'asc' },
  })
  expect(charges.map((row) => [row.balance_after, row.report_id])).toEqual([
    [99, made[0]?.id],
    [98, made[1]?.id],
  ])
  const jobs = await here.world.app.pool.query("SELECT payload->>'report_id' AS id FROM outbox WHERE name = 'report.generate' ORDER BY 1")
  expect(jobs.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
})

it('a storm day becomes the date of loss, with days around it, for the properties that it reached and whose exposure is not dismissed', async () => {
  const reached = await aKeptProperty(here.world, here.team)
  const dismissed = await aKeptProperty(here.world, here.team)
  const missed = await aKeptProperty(here.world, here.team)
  await anExposure(here.world, here.team, { property_id: reached.id, date: STORM })
  await anExposure(here.world, here.team, { property_id: dismissed.id, date: STORM, dismissed_at: here.world.clock.now() })
  await anExposure(here.world, here.team, { property_id: missed.id, date: '2026-05-21' })
  const { data } = await quote(`storm_day: "${STORM}"`)
  expect(data.reportQuote).toMatchObject({ property_count: 1, date_of_loss: STORM, window_start: '2026-04-20', cost: 1 })
  expect((await order(`storm_day: "${STORM}", cost: 1`)).errors).toBeUndefined()
  const [report] = await reports()
  expect(report).toMatchObject({ property_id: reached.id, date_of_loss: new Date(STORM), window_start: new Date('2026-04-20') })
})

it('a storm day that has begun in Guam alone is ordered there while it lasts', async () => {
  const now = here.world.clock.now()
  here.world.clock.set('2026-05-27T15:00:00Z')
  const reached = await aKeptProperty(here.world, here.team)
  await anExposure(here.world, here.team, { property_id: reached.id, date: '2026-05-28' })
  const { data, errors } = await quote('storm_day: "2026-05-28"')
  here.world.clock.set(now)
  expect(errors).toBeUndefined()
  expect(data.reportQuote).toMatchObject({ window_end: '2026-05-28', date_of_loss: '2026-05-28', cost: 1 })
})

it('a price that has changed since it was shown, or exceeds the balance, charges nothing and creates nothing', async () => {
  await here.replaceTeam({ credits: 1 })
  const first = await aKeptProperty(here.world, here.team, { tags: ['all'] })
  const args = 'tag: "all", window_start: "2025-01-01", window_end: "2025-12-31"'
  expect((await quote(args)).data.reportQuote).toMatchObject({ cost: 1, balance: 1 })
  const second = await aKeptProperty(here.world, here.team, { tags: ['all'] })
  expect(faultsOf(await order(`${args}, cost: 1`))).toEqual({ cost: ['The order costs 2 credits now.'] })
  const short = await order(`property_ids: ["${first.id}", "${second.id}"], cost: 2`)
  expect(short.errors?.[0]?.extensions).toMatchObject({ code: 'plan_limit', limit: 'credits' })
  expect(short.errors?.[0]?.message).toContain('2 credits are needed and 1 left')
  expect(await reports()).toEqual([])
  expect(await here.world.app.db.team.findUniqueOrThrow({ where: { id: here.team.id } })).toMatchObject({ balance: 1 })
})

it('a key orders once', async () => {
  const { id } = await aKeptProperty(here.world, here.team)
  const twice = `property_ids: ["${id}", "${id.toUpperCase()}"], cost: 1, idempotency_key: "one"`
  const one = (await order(twice)).data.orderReports
  expect((await order(twice)).data.orderReports).toEqual(one)
  expect(await reports()).toHaveLength(1)
})

it('names each fault of a selection', async () => {
  const foreign = await aKeptProperty(here.world, await aTeam(here.world), { tags: ['theirs'] })
  const { id } = await aKeptProperty(here.world, here.team)
  const ways = ['Choose the properties in exactly one way: property_ids, tag or storm_day.']
  expect(faultsOf(await quote('radius_miles: 5'))).toEqual({ property_ids: ways })
  expect(faultsOf(await quote(`property_ids: ["${id}"], tag: "a"`))).toEqual({ tag: ways })
  expect(faultsOf(await quote(`property_ids: ["${id}", "${foreign.id}"]`))).toEqual({
    property_ids: ['There is no property with one of these ids.'],
  })
  expect(faultsOf(await quote('tag: "theirs"'))).toEqual({ tag: ['There is no property with this tag.'] })
  expect(faultsOf(await quote(`storm_day: "${STORM}"`))).toEqual({
    storm_day: ['There is no property that this day reached.'],
  })
  expect(faultsOf(await quote(`property_ids: ["${id}"], window_start: "2025-02-01", window_end: "2025-01-01"`))).toHaveProperty(
    'window_end',
  )
  expect(faultsOf(await quote(`property_ids: ["${id}"], date_of_loss: "1900-01-01"`))).toHaveProperty('date_of_loss')
})

it('an order takes at most 500 properties at once; a tag with more is refused', async () => {
  await here.replaceTeam({ credits: 600 })
  await here.world.app.pool.query(
    `INSERT INTO properties (id, team_id, label, query, query_key, latitude, longitude, precision, located, tags, created_at)
     SELECT gen_random_uuid(), $1, 'Roof ' || n, n || ' Main St, Moore, OK', 'order ' || n, 35.3, -97.5, 'range', true,
            CASE WHEN n <= 500 THEN ARRAY['many', 'some'] ELSE ARRAY['many'] END, now()
       FROM generate_series(1, 501) AS n`,
    [here.team.id],
  )
  expect(faultsOf(await quote('tag: "many"'))).toEqual({
    tag: ['More than 500 properties are chosen: order them in parts, by their ids.'],
  })
  expect((await order('tag: "some", cost: 500')).data.orderReports).toMatchObject({ credits_spent: 500, credits_remaining: 100 })
  const { rows } = await here.world.app.pool.query(
    `SELECT count(*)::int AS held, count(DISTINCT sequence)::int AS numbered, min(balance_after) AS least
       FROM credit_transactions WHERE team_id = $1 AND kind = 'spend'`,
    [here.team.id],
  )
  expect(rows).toEqual([{ held: 500, numbered: 500, least: 100 }])
})
