import { beforeAll, describe, expect, it } from 'vitest'
import { locate } from '#domain/places/locate.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

const dallas = { latitude: 32.78014, longitude: -96.80045 }
const onPoint = { ...dallas, state: 'TX', county: 'Dallas', county_fips: '48113', precision: 'point', timezone: 'America/Chicago' }

describe('coordinates', () => {
  it('are located to the point, its county, its state and its time zone', async () => {
    const place = { ...onPoint, street: null, city: null, postal_code: null }
    expect(await locate(world.app, '32.78014, -96.80045')).toEqual({ place })
    expect(await locate(world.app, '32.78014° N, 96.80045° W')).toEqual({ place })
    expect(await locate(world.app, '32.78014, -96.80045', { point: dallas })).toEqual({ place })
  })

  it('locate the address sent with them, which gives the street, town and ZIP code', async () => {
    const place = { ...onPoint, street: '1 Made Up Way Apt 4', city: 'Dallas', postal_code: '75201' }
    expect(await locate(world.app, '1 Made Up Way Apt 4, Dallas, TX 75201', { point: dallas })).toEqual({ place })
    expect(await locate(world.app, '1 Made Up Way Apt 4, 75201', { point: dallas })).toEqual({ place })
  })

  it('locate an address that no table knows, and take no town from it', async () => {
    expect(await locate(world.app, 'North pasture', { point: dallas })).toEqual({
      place: { ...onPoint, street: null, city: null, postal_code: null },
    })
    expect(await locate(world.app, '12 Farm Rd, Nowhereville, TX', { point: dallas })).toMatchObject({
      place: { street: '12 Farm Rd', city: null },
    })
  })

  it('are not sent to a geocoder', async () => {
    const geocode = { provider: 'census', streets_only: false, find: () => Promise.reject(new Error('asked')) } as const
    expect(await locate({ ...world.app, geocode }, '1 Main St, Dallas, TX', { point: dallas })).toMatchObject({
      place: { precision: 'point' },
    })
  })

  it('with an address of another place are ambiguous', async () => {
    const point = 'but the point 32.78014, -96.80045 sent with it'
    for (const [query, message] of [
      ['100 Main St, Houston, TX', `The address names Houston, TX, ${point} lies in the county of Dallas, TX, 225 mi away.`],
      [
        '100 Main St, Houston, TX 77002',
        `The address names ZIP 77002 (Houston, TX), ${point} lies in the county of Dallas, TX, 225 mi away.`,
      ],
      ['100 Main St, Moore, OK', `The address names Oklahoma, ${point} lies in the county of Dallas, TX.`],
      ['Toronto, ON', `The address names a place outside the United States, ${point} lies in the county of Dallas, TX.`],
      ['Houston, TX 75201', 'The address names Houston, TX, but ZIP 75201 is Dallas, TX, 226 mi away.'],
      [
        '33.1499, -96.8241',
        'The address is the point 33.14990, -96.82410, but the point 32.78014, -96.80045 was sent with it, 26 mi away.',
      ],
    ] as const)
      expect(await locate(world.app, query, { point: dallas }), query).toEqual({ failure: 'address_ambiguous', message })
  })

  it.each([
    ['Tijuana', '32.5149, -117.0382'],
    ['Ciudad Juárez', '31.7381, -106.4870'],
    ['Windsor, Ontario', '42.3149, -83.0364'],
    ['Niagara Falls, Ontario', '43.0896, -79.0849'],
    ['Tortola', '18.4286, -64.6185'],
    ['the middle of Lake Michigan', '42.0, -87.0'],
    ['the ocean', '0.0, 0.0'],
  ])('of %s are outside, however near the border', async (_name, query) => {
    expect(await locate(world.app, query)).toMatchObject({ failure: 'outside_coverage' })
  })

  it.each([
    ['Detroit', '42.3314, -83.0458', 'Wayne'],
    ['El Paso', '31.7619, -106.4850', 'El Paso'],
    ['a pier of Galveston', '29.2849, -94.7880', 'Galveston'],
    ['the Outer Banks', '35.2507, -75.5288', 'Dare'],
    ['Point Roberts', '48.985, -123.078', 'Whatcom'],
    ['Guam', '13.44, 144.79', 'Guam'],
    ['St. Thomas', '18.34, -64.93', 'St. Thomas'],
  ])('of %s are inside', async (_name, query, county) => {
    expect(await locate(world.app, query)).toMatchObject({ place: { county, precision: 'point' } })
  })

  it('without the minus sign of the west get a message about it', async () => {
    expect(await locate(world.app, '33.1499, 96.8241')).toEqual({
      failure: 'outside_coverage',
      message:
        'The point 33.14990, 96.82410 lies outside the United States and its territories. Western longitudes are negative: 33.14990, -96.82410.',
    })
    expect(await locate(world.app, '-96.8241, 33.1499')).toMatchObject({
      failure: 'address_not_found',
      message: expect.stringContaining('latitude comes first'),
    })
  })
})
