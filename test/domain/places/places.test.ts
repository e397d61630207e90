import { beforeAll, describe, expect, it } from 'vitest'
import { readCities } from '#domain/places/cities.ts'
import { PLACES_KNOWN, searchPlaces, seedPlaces } from '#domain/places/places.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
  await seedPlaces(world.app.pool)
})

const names = async (search: string) => (await searchPlaces(world.app, { search })).map(({ full_name }) => full_name)

describe('the table of places', () => {
  it('contains every place of the package once', async () => {
    expect(readCities()).toHaveLength(PLACES_KNOWN)
    expect((await world.app.pool.query('SELECT count(*)::int AS count, max(id) AS last FROM places')).rows).toEqual([
      { count: PLACES_KNOWN, last: PLACES_KNOWN },
    ])
  })

  it('is seeded once, also by two concurrent starts, and never renumbered', async () => {
    const other = await openWorld()
    await Promise.all([seedPlaces(other.app.pool), seedPlaces(other.app.pool)])
    await seedPlaces(other.app.pool)
    const ids = 'SELECT md5(string_agg(id || name || state || latitude || longitude, $1 ORDER BY id)) AS sum FROM places'
    expect((await other.app.pool.query(ids, ['|'])).rows).toEqual((await world.app.pool.query(ids, ['|'])).rows)
    await other.app.pool.query(`DELETE FROM places WHERE name = 'Moore' AND state = 'OK'`)
    await seedPlaces(other.app.pool)
    const [moore] = await searchPlaces(other.app, { search: 'Moore, OK' })
    expect(moore?.id).toBeGreaterThan(PLACES_KNOWN)
    await other.close()
  })
})

describe('searching places', () => {
  it('returns the fields of the contract', async () => {
    expect((await searchPlaces(world.app, { search: 'Moore, OK' }))[0]).toEqual({
      id: expect.any(Number),
      object: 'place',
      name: 'Moore',
      full_name: 'Moore, OK',
      state: 'OK',
      latitude: 35.33951,
      longitude: -97.4867,
    })
  })

  it.each(['Moore, OK', 'moore ok', 'MOORE, Oklahoma', 'Moore Oklahoma', ' moore , ok '])('finds Moore by %j', async (search) => {
    expect((await names(search))[0]).toBe('Moore, OK')
  })

  it('lists the exact name first, then names that begin with it, then later words', async () => {
    expect((await names('moore')).slice(0, 3)).toEqual(['Moore, OK', 'Moore Haven, FL', 'Moorefield, WV'])
    const found = await names('kansas city')
    expect(found.slice(0, 2)).toEqual(['Kansas City, KS', 'Kansas City, MO'])
    expect(found).toContain('North Kansas City, MO')
  })

  it('ignores accents and expands common abbreviations of towns', async () => {
    expect((await names('st louis, mo'))[0]).toBe('St. Louis, MO')
    expect((await names('Saint Louis, Missouri'))[0]).toBe('St. Louis, MO')
    expect((await names('hagatna'))[0]).toBe('Hagåtña, GU')
  })

  it('also finds a name that ends like a state', async () => {
    expect((await names('New York'))[0]).toBe('New York City, NY')
    expect(await names('Port Washington')).toContain('Port Washington, NY')
  })

  it('distinguishes places of the same name in one state by their county', async () => {
    const { rows } = await world.app.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM (SELECT name, state FROM places GROUP BY name, state HAVING count(*) > 1) twins',
    )
    expect(rows[0]?.count).toBeGreaterThan(200)
    const sameNamePlaces = await world.app.pool.query<{ full_name: string }>(
      'SELECT full_name FROM places WHERE (name, state) IN (SELECT name, state FROM places GROUP BY name, state HAVING count(*) > 1)',
    )
    expect(sameNamePlaces.rows.every(({ full_name }) => / \(.+\), [A-Z]{2}$/.test(full_name))).toBe(true)
  })

  it('returns at most 20, and nothing if no name matches', async () => {
    expect(await names('san')).toHaveLength(20)
    for (const search of ['%%', '__', '!!', "'; DROP TABLE places", 'zzzzzz', 'TX, TX']) expect(await names(search)).toEqual([])
  })
})
