import { expect, it } from 'vitest'
import { everyExposure } from '#domain/exposures/find.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'
import { addExposure, aKeptProperty } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { followSince } from '#test/support/follow-since.ts'
import { openWorld } from '#test/support/world.ts'

it('a client that sends the latest moment it saw misses and repeats nothing that eight writers commit late', async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, stored, doubled, polls, written } = await followSince(world, 5_000)
  expect(seen).toEqual(stored)
  expect(doubled).toBe(0)
  expect(written).toBeGreaterThan(8)
  expect(polls).toBeGreaterThan(5)
})

it("a client would miss rows if the moment were taken without the team's lock", async () => {
  const world = await openWorld({ config: { database_pool: 14 } })
  const { seen, stored } = await followSince(world, 3_000, async (tx) => {
    const [now] = await tx.$queryRaw<[{ moment: string }]>`
      SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment`
    return now.moment
  })
  expect(seen).not.toEqual(stored)
})

it('an export since a moment leaves out what changes while it is written, and the next has it', async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const { id: property_id } = await aKeptProperty(world, team)
  const begin = '2000-01-01T00:00:00Z'
  // More than one page of an export.
  await world.app.pool.query(
    `INSERT INTO exposures (team_id, kind, date, property_id, headline, first_seen_at, last_seen_at)
     SELECT $1, 'record', date '2020-01-01' + n, $2, 'Hail', $3, $3 FROM generate_series(1, 1001) n`,
    [team.id, property_id, '2026-01-01T00:00:00Z'],
  )
  const exported = async (since: string, between = async () => {}) => {
    const found: string[] = []
    for await (const page of everyExposure(world.app, caller, { since } as Parameters<typeof everyExposure>[2])) {
      found.push(...page.map(({ exposure }) => exposure.last_seen_at))
      await between()
    }
    return found
  }
  let changed = false
  const first = await exported(begin, async () => {
    if (changed) return
    changed = true
    await world.app.db.$transaction(async (tx) => {
      const moment = await nextMoment(tx, team.id, world.clock.now())
      await addExposure(tx, world.clock.now(), team.id, { property_id, date: '2025-01-01' }, moment)
      await tx.$executeRaw`UPDATE exposures SET last_seen_at = ${moment}::timestamptz WHERE date = '2020-01-02'`
    })
  })
  expect(first).toHaveLength(1000)
  expect(await exported(first.sort().at(-1) as string)).toHaveLength(2)
})

it('an export since a moment of which nothing changed yet leaves all that changes meanwhile to the next', async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const { id: property_id } = await aKeptProperty(world, team)
  const add = () =>
    world.app.db.$transaction(async (tx) => {
      const moment = await nextMoment(tx, team.id, world.clock.now())
      await addExposure(tx, world.clock.now(), team.id, { property_id, date: '2025-01-01' }, moment)
    })
  const { pool } = world.app
  const query = async (statement: { name: string }) => {
    const found = await pool.query(statement as never)
    if (statement.name === 'exposure.latest') await add()
    return found
  }
  const busy = { ...world.app, pool: { query } as unknown as typeof pool }
  const since = { since: '2000-01-01T00:00:00Z' } as Parameters<typeof everyExposure>[2]
  const count = async (app: typeof world.app) => {
    let rows = 0
    for await (const page of everyExposure(app, caller, since)) rows += page.length
    return rows
  }
  expect(await count(busy)).toBe(0)
  expect(await count(world.app)).toBe(1)
})
