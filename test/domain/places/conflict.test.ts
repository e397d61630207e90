import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Geocode } from '#domain/engines/geocoder.ts'
import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import { locate } from '#domain/places/locate.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterEach(() => world.owner.query('TRUNCATE geocode_answers, address_points'))

const ambiguous = (message: string) => ({ failure: 'address_ambiguous', message })

describe('an address that fits more than one place', () => {
  it.each([
    ['Houston, TX 75201', 'The address names Houston, TX, but ZIP 75201 is Dallas, TX, 226 mi away.'],
    ['1200 Commerce St, Houston, TX 75201-4321', 'The address names Houston, TX, but ZIP 75201 is Dallas, TX, 226 mi away.'],
    ['Houston 75201', 'The address names Houston, TX, but ZIP 75201 is Dallas, TX, 226 mi away.'],
    ['Chicago 75201', 'The address names Chicago, IL, but ZIP 75201 is Dallas, TX, 802 mi away.'],
    ['100 Main St, Dallas, OK 75201', 'The address names Oklahoma, but ZIP 75201 is Dallas, TX.'],
    ['100 Main St Hartford CT 75201', 'The address names Connecticut, but ZIP 75201 is Dallas, TX.'],
    ['NY 75201', 'The address names New York, but ZIP 75201 is Dallas, TX.'],
    ['Kansas City, KS 64108', 'The address names Kansas, but ZIP 64108 is Kansas City, MO.'],
  ])('%j names two places', async (query, message) => {
    expect(await locate(world.app, query)).toEqual(ambiguous(message))
  })

  it.each([
    // A suburb; a town with the same name as another; a town missing from the tables; a town across the border.
    ['1 Main St, Mesquite, TX 75201', '75201'],
    ['Bloomfield, NY 14469', '14469'],
    ['1 Main St, Boston, TX 75570', '75570'],
    ['Texarkana 71854', '71854'],
    ['Saint Louis, MO 63101', '63101'],
    // The end of a street that is also the code of a state.
    ['12 Oak Ct, 75034', '75034'],
    ['5500 San Mateo Blvd NE 87109', '87109'],
  ])('%j is still one place', async (query, postal_code) => {
    expect(await locate(world.app, query)).toMatchObject({ place: { postal_code, precision: 'zip' } })
  })

  it('lists the places that it fits', async () => {
    expect(await locate(world.app, '1 Main St, Franklin')).toEqual(
      ambiguous('The address fits several places: 1 Main St, Franklin, GA; 1 Main St, Franklin, IN; 1 Main St, Franklin, KY; and 15 more.'),
    )
  })
})

describe('a ZIP code without its own centre', () => {
  it('is located to its town: sixty ZIP codes of Dallas share a point', async () => {
    expect(await locate(world.app, '1 Main St, 75398')).toMatchObject({
      place: { street: '1 Main St', city: 'Dallas', postal_code: '75398', precision: 'city', latitude: 32.78306, longitude: -96.80667 },
    })
  })

  it('is located to the town in the address if that is near', async () => {
    expect(await locate(world.app, 'Mesquite, TX 75398')).toMatchObject({
      place: { city: 'Mesquite', precision: 'city', latitude: 32.7668, longitude: -96.59916 },
    })
  })

  it('is located to the town around it if its post office is not a town, and otherwise keeps its point', async () => {
    expect(await locate(world.app, '10094')).toMatchObject({ place: { city: 'New York City', precision: 'city' } })
    expect(await locate(world.app, '71864')).toMatchObject({ place: { city: 'Willisville', precision: 'city' } })
  })

  it('gives no town for a post office that is not one', async () => {
    expect(await locate(world.app, 'Loco Hills, NM')).toMatchObject({ place: { postal_code: '88255', precision: 'zip' } })
  })
})

describe("a geocoder's match", () => {
  const match: AddressMatch = {
    street: '2500 GAYLORD PKWY',
    city: 'FRISCO',
    state: 'TX',
    postal_code: '75034',
    county_fips: '48085',
    latitude: 33.1012,
    longitude: -96.8253,
    precision: 'range',
    in_us: true,
  }
  const frisco = '2500 Gaylord Pkwy, Frisco, TX 75034'
  const houston = { city: 'HOUSTON', postal_code: '77002', county_fips: '48201', latitude: 29.7604, longitude: -95.3698 }

  it('is refused if it is far from the requested ZIP code', async () => {
    const app = withAnswers({ ...match, ...houston })
    expect(await locate(app, frisco)).toEqual(
      ambiguous("The address names ZIP 75034 (Frisco, TX), but the geocoder's match lies in the county of Harris, TX, 249 mi away."),
    )
    expect(await cached()).toEqual([])
  })

  it('is refused if it is far from the town or in another state', async () => {
    expect(await locate(withAnswers({ ...match, ...houston }), '2500 Gaylord Pkwy, Frisco, TX')).toEqual(
      ambiguous("The address names Frisco, TX, but the geocoder's match lies in the county of Harris, TX, 249 mi away."),
    )
    const norman = { city: 'NORMAN', state: 'OK', postal_code: '73069', county_fips: '40027', latitude: 35.2226, longitude: -97.4395 }
    expect(await locate(withAnswers({ ...match, ...norman }), '2500 Gaylord Pkwy, TX')).toEqual(
      ambiguous("The address names Texas, but the geocoder's match lies in the county of Cleveland, OK."),
    )
  })

  it('may lie in a town or in a state if the address has a name of both', async () => {
    const capital = { street: '1600 BROAD ST', city: 'WASHINGTON', state: 'DC', postal_code: null, county_fips: '11001' }
    const washington = { ...match, ...capital, latitude: 38.8977, longitude: -77.0365 }
    const seattle = { ...washington, city: 'SEATTLE', state: 'WA', county_fips: '53033', latitude: 47.6205, longitude: -122.3493 }
    const query = '1600 Broad St, Washington'
    expect(await locate(withAnswers(washington), query)).toMatchObject({ place: { state: 'DC' } })
    await world.owner.query('TRUNCATE geocode_answers')
    expect(await locate(withAnswers(seattle), query)).toMatchObject({ place: { state: 'WA' } })
    await world.owner.query('TRUNCATE geocode_answers')
    expect(
      await locate(withAnswers({ ...seattle, city: 'PORTLAND', state: 'OR', latitude: 45.5152, longitude: -122.6784 }), query),
    ).toMatchObject({
      failure: 'address_ambiguous',
    })
    const buffalo = { ...washington, city: 'BUFFALO', state: 'NY', county_fips: '36029', latitude: 42.8864, longitude: -78.8784 }
    expect(await locate(withAnswers(buffalo), '1600 Broad St, New York, NY')).toMatchObject({ failure: 'address_ambiguous' })
  })

  it('is accepted if it fits, in any order, and in a county as large as a state', async () => {
    expect(await locate(withAnswers({ ...match, ...houston }, match), frisco)).toMatchObject({
      place: { county: 'Collin', latitude: 33.1012 },
    })
    const ranch = {
      street: '1 RANCH RD',
      city: 'TONOPAH',
      state: 'NV',
      postal_code: null,
      county_fips: null,
      latitude: 37.2,
      longitude: -116.4,
    }
    expect(await locate(withAnswers({ ...match, ...ranch }), '1 Ranch Rd, Tonopah, NV 89049')).toMatchObject({ place: { county: 'Nye' } })
  })

  it('is refused if a house was requested and it is the middle of a street or another house', async () => {
    for (const street of ['GAYLORD PKWY', '2502 GAYLORD PKWY', null])
      expect(await locate(withAnswers({ ...match, street, precision: 'point' }), frisco), String(street)).toMatchObject({
        place: { street: '2500 Gaylord Pkwy', precision: 'zip', latitude: 33.1499 },
      })
    expect(await cached()).toEqual([])
  })

  it('with a county elsewhere gets its county from the map', async () => {
    expect(await locate(withAnswers({ ...match, county_fips: '48201' }), frisco)).toMatchObject({ place: { county: 'Collin' } })
  })

  it('is requested again if it was cached under other rules', async () => {
    const old = { ...houston, street: 'x', state: 'TX', county: 'Harris', precision: 'point', timezone: 'America/Chicago' }
    await world.app.pool.query(`INSERT INTO geocode_answers (provider, query_key, answer) VALUES ('census', $1, $2)`, [
      '2500 gaylord pkwy frisco tx 75034',
      JSON.stringify(old),
    ])
    expect(await locate(withAnswers(match), frisco)).toMatchObject({ place: { latitude: 33.1012, precision: 'range' } })
    expect(await cached()).toEqual([{ rules: 3, latitude: 33.1012 }])
  })

  it('the same rules skip an address point far from its ZIP code or in another state', async () => {
    await world.app.pool.query(
      `INSERT INTO address_points (address_key, street, city, state, postal_code, latitude, longitude)
       VALUES ('2500 gaylord pkwy|frisco|tx|75034', '2500 Gaylord Pkwy', 'Frisco', 'TX', '', 29.7604, -95.3698)`,
    )
    expect(await locate(world.app, frisco)).toMatchObject({ place: { precision: 'zip', latitude: 33.1499 } })
  })

  function withAnswers(...answers: AddressMatch[]) {
    const geocode: Geocode = { provider: 'census', streets_only: true, find: async () => answers }
    return { ...world.app, geocode }
  }

  const cached = async () =>
    (await world.app.pool.query(`SELECT rules, (answer ->> 'latitude')::float8 AS latitude FROM geocode_answers`)).rows
})

describe('the county of an address', () => {
  it('is in its own state, even if the point of its ZIP code is across the border', async () => {
    expect(await locate(world.app, 'Texhoma, TX 73960')).toMatchObject({ place: { state: 'TX', county: 'Sherman' } })
    expect(await locate(world.app, 'Rock Island, IL 61204')).toMatchObject({ place: { state: 'IL', county: 'Rock Island' } })
  })
})
