import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { revokeToken } from '#domain/access/tokens.ts'
import { readFeatureQuery } from '#domain/exports/archive/feature-query.ts'
import { readFeatures } from '#domain/exports/archive/features.ts'
import { DAY } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const ROWS = 3000
/** Matches are five days apart at first, then fifty. */
const RARE = 'hail_size_in >= 4'

let world: World
let caller: Caller

beforeAll(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world, { plan: 'enterprise' }))
  await world.app.pool.query(RECORDS, [world.clock.now(), ROWS])
})

const RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, latitude, longitude, hail_size_in, state,
                               precision, evidence_kind, is_observed, preliminary, citation_url, description)
  SELECT 'noaa_storm_events', 'features/' || n, 'hail', 'thunderstorm', 'severe', day, day + time '22:30', 35, -97,
         CASE n % CASE WHEN n < 500 THEN 10 ELSE 100 END WHEN 0 THEN 4.5 ELSE 1 END, 'OK', 'point', 'ground', true, false, 'https://www.ncei.noaa.gov/stormevents/?id=' || n, 'Record ' || n
    FROM generate_series(1, $2::int) n, LATERAL (SELECT $1::date - n / 2 AS day) d`

describe('a filter with few matches', () => {
  it('is answered in short pages that list each record once, through to the end', async () => {
    const pages: number[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = readFeatureQuery({ filter: RARE, limit: '2', ...(cursor && { cursor }) })
      const page = await readFeatures(world.app, caller, query, { partial_after_ms: 0, refuse_after_ms: 60_000 })
      pages.push(page.features.map(({ id }) => Number(id)))
      cursor = page.cursor
    }
    const { rows } = await world.app.pool.query(`SELECT id FROM archive_records WHERE ${RARE} ORDER BY occurred_on DESC, id DESC`)
    expect(pages.flat()).toEqual(rows.map(({ id }) => id))
    const sizes = pages.map(({ length }) => length)
    // No page is empty except the last: a client may take an empty page for the end.
    expect(sizes.slice(0, -1)).not.toContain(0)
    expect([sizes.some((size) => size < 2), sizes.includes(2), Math.max(...sizes)]).toEqual([true, true, 2])
  })

  it('is refused with the date from which nothing was found, instead of an empty page', async () => {
    const query = readFeatureQuery({ filter: 'hail_size_in >= 9' })
    await expect(readFeatures(world.app, caller, query, { partial_after_ms: 0, refuse_after_ms: 0 })).rejects.toMatchObject({
      code: 'malformed_request',
      details: {
        errors: { datetime: [expect.stringMatching(/^Nothing was found from \d{4}-\d\d-\d\d on within the time limit of a page/)] },
      },
    })
    expect(await readFeatures(world.app, caller, query)).toEqual({ features: [], cursor: null })
  })

  it('ends a page before the days that time out, and is refused if those days come first', async () => {
    const { app, owner, clock } = world
    await owner.query(LATE)
    const recent = new Date(clock.now().getTime() - 20 * DAY).toISOString().slice(0, 10)
    const buildQuery = (cursor?: string) => {
      const query = readFeatureQuery({ filter: RARE, ...(cursor && { cursor }) })
      return { ...query, conditions: [...query.conditions, () => `(r.occurred_on >= '${recent}'::date OR late())`] }
    }
    const { features, cursor } = await readFeatures(app, caller, buildQuery())
    expect([features.length > 0, features.every(({ properties }) => properties?.occurred_on >= recent)]).toEqual([true, true])
    await expect(readFeatures(app, caller, buildQuery(cursor ?? ''))).rejects.toMatchObject({
      code: 'malformed_request',
      details: { errors: { datetime: ['Nothing was found within the time limit of a page: request fewer days, or a smaller bbox.'] } },
    })
  })
})

describe('pages of a team', () => {
  /** The application with a database that answers only once it is released. */
  function heldApp() {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const statements: unknown[] = []
    const query = async (...sent: Parameters<typeof world.app.pool.query>) => {
      statements.push(sent)
      await released
      return world.app.pool.query(...sent)
    }
    return { app: { ...world.app, pool: { query } as never }, statements, release }
  }
  const query = readFeatureQuery({ limit: '1' })

  it('wait for each other, and are refused if too many wait', async () => {
    const { app, statements, release } = heldApp()
    const pages = Array.from({ length: 22 }, () => readFeatures(app, caller, query))
    await expect(readFeatures(app, caller, query)).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } })
    expect(statements).toHaveLength(2)
    release()
    for (const { features } of await Promise.all(pages)) expect(features).toHaveLength(1)
  })

  it('are not read for a token that was revoked before their turn came', async () => {
    const { app, statements, release } = heldApp()
    const late = await aCaller(world, caller.team)
    await revokeToken(world.app.db, late.token.prefix)
    const reading = [1, 2].map(() => readFeatures(app, caller, query))
    const waiting = expect(readFeatures(app, late, query)).rejects.toMatchObject({ code: 'unauthenticated' })
    release()
    await Promise.all([...reading, waiting])
    expect(statements).toHaveLength(2)
  })

  it('are not read for a client that has left', async () => {
    const { app, statements, release } = heldApp()
    const reading = [1, 2].map(() => readFeatures(app, caller, query))
    let has_left = false
    const abandoned = readFeatures(app, caller, query, { isAborted: () => has_left })
    has_left = true
    release()
    await Promise.all([...reading, abandoned])
    expect(statements).toHaveLength(2)
  })
})

/** Fails its statement as PostgreSQL fails one that reached its time limit. */
const LATE = `
  CREATE FUNCTION late() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'canceling statement' USING ERRCODE = '57014'; END $$`
