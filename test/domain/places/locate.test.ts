import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Geocode, openGeocoder } from '#domain/engines/geocoder.ts'
import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import { locate } from '#domain/places/locate.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterEach(() => world.owner.query('TRUNCATE geocode_answers, address_points'))

describe('the embedded tables', () => {
  it('give the centre of a ZIP code and the precision zip', async () => {
    expect(await locate(world.app, '2500 Gaylord Pkwy, Frisco, TX 75034')).toEqual({
      place: {
        street: '2500 Gaylord Pkwy',
        city: 'Frisco',
        state: 'TX',
        postal_code: '75034',
        county: 'Collin',
        county_fips: '48085',
        latitude: 33.1499,
        longitude: -96.8241,
        precision: 'zip',
        timezone: 'America/Chicago',
      },
    })
  })

  it('give the centre of a town if there is no ZIP code', async () => {
    expect(await locate(world.app, 'Fort Worth, TX')).toEqual({
      place: expect.objectContaining({
        street: null,
        city: 'Fort Worth',
        postal_code: null,
        county: 'Tarrant',
        latitude: 32.72541,
        longitude: -97.32085,
        precision: 'city',
      }),
    })
  })

  it('give the town for a ZIP code without a place, whose row is 0, 0', async () => {
    // 09301 is one of the 306 rows at 0, 0. After a town and state it is ignored.
    expect(await locate(world.app, 'Moore, OK 09301')).toEqual({ place: expect.objectContaining({ city: 'Moore', precision: 'city' }) })
    expect(await locate(world.app, '09301')).toMatchObject({ failure: 'address_not_found' })
  })

  it('find New York City by its usual name, and a town that only the postal table has', async () => {
    expect(await locate(world.app, 'New York, NY')).toEqual({
      place: expect.objectContaining({ city: 'New York City', state: 'NY', precision: 'city' }),
    })
    expect(await locate(world.app, 'Loco Hills, NM')).toEqual({
      place: expect.objectContaining({ city: 'Loco Hills', postal_code: '88255', precision: 'zip' }),
    })
  })

  it('support the territories', async () => {
    expect(await locate(world.app, 'Hagatna, GU 96910')).toEqual({
      place: expect.objectContaining({ state: 'GU', county_fips: '66010', timezone: 'Pacific/Guam' }),
    })
  })

  it.each(['asdf qwer zxcv', '!!!', 'x', '00000', '100 Nowhere Rd', '99999 Nonexistent Fake St, Nowhere, ZZ 00000', '\u0000\u0000\u0000'])(
    'do not find %j',
    async (query) => {
      expect(await locate(world.app, query)).toMatchObject({ failure: 'address_not_found' })
    },
  )

  it('find New York City if only its name follows the street', async () => {
    expect(await locate(world.app, '350 5th Ave, New York')).toMatchObject({
      place: { street: '350 5th Ave', city: 'New York City', state: 'NY', precision: 'city' },
    })
  })

  it.each([
    'Springfield',
    '1 Main St, Franklin',
    '100 Main St, Lebanon',
    'Holland',
    '1600 Pennsylvania Ave NW, Washington',
    'Bainbridge, NY 00000',
  ])('report which %j as ambiguous, or take the only one', async (query) => {
    const location = await locate(world.app, query)
    expect(location).toMatchObject(query.startsWith('Bainbridge') ? { place: { state: 'NY' } } : { failure: 'address_ambiguous' })
  })

  it.each(['Toronto, ON', '10 Downing Street, London, United Kingdom', 'APO, AP 96201', 'Majuro, MH 96960'])(
    'do not cover %j',
    async (query) => {
      expect(await locate(world.app, query)).toMatchObject({ failure: 'outside_coverage' })
    },
  )

  it('store nothing in the cache', async () => {
    await locate(world.app, 'Moore, OK')
    expect(await cached()).toEqual([])
  })
})

describe('a configured provider', () => {
  const match: AddressMatch = {
    street: '100 JOE NUXHALL WAY',
    city: 'CINCINNATI',
    state: 'OH',
    postal_code: '45202',
    county_fips: '39061',
    latitude: 39.096122125,
    longitude: -84.508275514,
    precision: 'range',
    in_us: true,
  }

  it('is asked once, and its result is cached under its name', async () => {
    const { app, queries } = withProvider(async () => [match])
    const first = await locate(app, '100 Joe Nuxhall Way, Cincinnati, OH 45202')
    const second = await locate(app, '100 JOE NUXHALL WAY Cincinnati OH, 45202')
    expect(first).toEqual({
      place: {
        street: '100 Joe Nuxhall Way',
        city: 'Cincinnati',
        state: 'OH',
        postal_code: '45202',
        county: 'Hamilton',
        county_fips: '39061',
        latitude: 39.09612,
        longitude: -84.50828,
        precision: 'range',
        timezone: 'America/New_York',
      },
    })
    expect(second).toEqual(first)
    expect(queries).toHaveLength(1)
    expect(await cached()).toEqual([{ provider: 'census', query_key: '100 joe nuxhall way cincinnati oh 45202' }])
  })

  it('that fails is replaced by the embedded tables, and that result is not cached', async () => {
    const { app, queries } = withProvider(async () => {
      throw new Error('down')
    })
    expect(await locate(app, '100 Main St, Moore, OK 73160')).toEqual({
      place: expect.objectContaining({ precision: 'zip', city: 'Moore' }),
    })
    expect(queries).toHaveLength(1)
    expect(await cached()).toEqual([])
  })

  it('that finds no such address is final', async () => {
    const { app } = withProvider(async () => [])
    expect(await locate(app, '100 Main St, Moore, OK 73160')).toMatchObject({ failure: 'address_not_found' })
    expect(await cached()).toEqual([])
  })

  it('is not asked for a town or a ZIP code if it only knows streets', async () => {
    const { app, queries } = withProvider(async () => [])
    expect(await locate(app, 'Moore, OK')).toEqual({ place: expect.objectContaining({ precision: 'city' }) })
    expect(queries).toEqual([])
  })

  it('with two matches over a mile apart is ambiguous, and with two near ones is not', async () => {
    const { app } = withProvider(async () => [match, { ...match, latitude: match.latitude + 0.02 }])
    expect(await locate(app, '100 Joe Nuxhall Way, OH')).toMatchObject({ failure: 'address_ambiguous' })
    const near = withProvider(async () => [match, { ...match, latitude: match.latitude + 0.01 }])
    expect(await locate(near.app, '100 Joe Nuxhall Way, OH')).toEqual({ place: expect.objectContaining({ latitude: 39.09612 }) })
  })

  it('may place an address abroad or outside every county', async () => {
    const foreign = withProvider(async () => [{ ...match, in_us: false }])
    expect(await locate(foreign.app, '100 Main St, Anywhere')).toMatchObject({ failure: 'outside_coverage' })
    const atSea = withProvider(async () => [{ ...match, county_fips: null, latitude: 30, longitude: -60 }])
    expect(await locate(atSea.app, '100 Main St, Anywhere')).toMatchObject({ failure: 'outside_coverage' })
  })

  it('may place an address abroad first that names a state or a ZIP code', async () => {
    const berlin = {
      city: 'BERLIN',
      state: null,
      postal_code: '10115',
      county_fips: null,
      latitude: 52.532,
      longitude: 13.384,
      in_us: false,
    }
    const foreign: AddressMatch = { ...match, ...berlin, street: null, precision: 'zip' }
    const newYork = { city: 'NEW YORK', state: 'NY', county_fips: '36061', latitude: 40.8111, longitude: -73.9642, in_us: true }
    const { app } = withProvider(async () => [foreign, { ...foreign, ...newYork }])
    for (const query of ['525 W 120th St, New York, NY 10115', '525 W 120th St, New York, NY', '525 W 120th St 10115'])
      expect(await locate(app, query), query).toMatchObject({ place: { street: '525 W 120th St', city: 'New York', state: 'NY' } })
    const alone = withProvider(async () => [foreign])
    expect(await locate(alone.app, '527 W 120th St, New York, NY 10115')).toMatchObject({ failure: 'address_not_found' })
  })

  it('that finds an address both abroad and in the United States is ambiguous if it names no state', async () => {
    const abroad = { street: '10 HIGH ST', city: 'LONDON', state: null, postal_code: null, county_fips: null, in_us: false }
    const foreign: AddressMatch = { ...match, ...abroad, latitude: 51.5, longitude: -0.13 }
    const kentucky = { state: 'KY', latitude: 37.129, longitude: -84.0833, in_us: true }
    const { app } = withProvider(async () => [foreign, { ...foreign, ...kentucky }])
    expect(await locate(app, '10 High St, London')).toEqual({
      failure: 'address_ambiguous',
      message: 'The address fits several places: 10 High St, London; 10 High St, London, KY.',
    })
    const town = withProvider(async () => [foreign, { ...foreign, ...kentucky, precision: 'city' }])
    expect(await locate(town.app, '10 High St, London')).toMatchObject({ failure: 'outside_coverage' })
  })

  it('that only finds the town or another ZIP code is not followed if the ZIP code is known', async () => {
    const houston = { street: null, city: 'HOUSTON', state: 'TX', county_fips: null, latitude: 29.7604, longitude: -95.3698 }
    const town: AddressMatch = { ...match, ...houston, postal_code: null, precision: 'city' }
    const kingwood = { postal_code: '77345', precision: 'zip', latitude: 30.0587, longitude: -95.1797 } as const
    const query = '4100 Unmapped Ridge Ln, Houston, TX 77345'
    for (const other of [town, { ...town, ...kingwood, postal_code: '77002' }])
      expect(await locate(withProvider(async () => [other]).app, query)).toMatchObject({
        place: { street: '4100 Unmapped Ridge Ln', postal_code: '77345', precision: 'zip', latitude: 30.0336 },
      })
    expect(await locate(withProvider(async () => [town, { ...town, ...kingwood }]).app, query)).toMatchObject({
      place: { postal_code: '77345', precision: 'zip', latitude: 30.0587 },
    })
  })

  it('that only finds the town is asked again, until it knows the street', async () => {
    const town = withProvider(async () => [{ ...match, street: null, precision: 'city' }])
    const query = '100 Joe Nuxhall Way, Cincinnati, OH'
    expect(await locate(town.app, query)).toMatchObject({ place: { precision: 'city' } })
    expect(await cached()).toEqual([])
    expect(await locate(withProvider(async () => [match]).app, query)).toMatchObject({ place: { precision: 'range' } })
  })

  it('is asked again for a fresh result, for which its cached one stands in if it fails', async () => {
    const query = '100 Joe Nuxhall Way, Cincinnati, OH'
    await locate(withProvider(async () => [match]).app, query)
    const better = withProvider(async () => [{ ...match, precision: 'point' }])
    expect(await locate(better.app, query)).toMatchObject({ place: { precision: 'range' } })
    expect(await locate(better.app, query, { fresh: true })).toMatchObject({ place: { precision: 'point' } })
    const down = withProvider(async () => {
      throw new Error('down')
    })
    expect(await locate(down.app, query, { fresh: true })).toMatchObject({ place: { precision: 'point' } })
  })

  it('gets the unit back that it leaves out', async () => {
    const { app } = withProvider(async () => [match])
    expect(await locate(app, '100 Joe Nuxhall Way Apt 7, Cincinnati, OH')).toEqual({
      place: expect.objectContaining({ street: '100 Joe Nuxhall Way Apt 7' }),
    })
  })

  it('that only finds the town leaves the street as it is written', async () => {
    const { app } = withProvider(async () => [{ ...match, street: null, postal_code: null, precision: 'city' }])
    for (const street of ['4100 Unmapped Ridge Ln', '77 Other New Ct Apt 7'])
      expect(await locate(app, `${street}, Cincinnati, OH`)).toEqual({
        place: expect.objectContaining({ street, city: 'Cincinnati', precision: 'city' }),
      })
  })

  it('needs a URL, except for the Census', () => {
    expect(() => openGeocoder({ geocoder: 'pelias', geocoder_url: null }, world.app.http)).toThrow(
      'GEOCODER_URL is required with GEOCODER=pelias',
    )
    expect(openGeocoder({ geocoder: 'census', geocoder_url: null }, world.app.http).provider).toBe('census')
  })
})

function withProvider(find: Geocode['find']) {
  const queries: string[] = []
  const geocode: Geocode = {
    provider: 'census',
    streets_only: true,
    find: (query, timeout_ms) => {
      queries.push(query)
      return find(query, timeout_ms)
    },
  }
  return { app: { ...world.app, geocode }, queries }
}

async function cached(): Promise<unknown[]> {
  return (await world.app.pool.query('SELECT provider, query_key FROM geocode_answers')).rows
}
