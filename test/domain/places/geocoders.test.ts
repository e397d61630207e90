import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openGeocoder } from '#domain/engines/geocoder.ts'
import { type Http, openHttp } from '#domain/engines/http.ts'
import { locate } from '#domain/places/locate.ts'
import { openWorld, type World } from '../../support/world.ts'
import { startTestServer, type TestServer } from '../engines/test-server.ts'

const recorded = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'geocoder')

let http: Http
let server: TestServer

beforeAll(() => {
  http = openHttp({ contact: null })
})
afterAll(() => http.close())
afterEach(() => server?.close())

const TIMEOUT_MS = 2_000

describe.skipIf(!existsSync(recorded))('the Census Geocoder (skipped: real records not present)', () => {
  let world: World

  beforeAll(async () => {
    world = await openWorld()
  })

  /** Responds as the Census does: with the recorded response for a known address, otherwise with a 200 without a match. */
  async function openCensus() {
    const answers = new Map<string, string>()
    for (const file of readdirSync(recorded).filter((name) => /^census_(onelineaddress|locations_onelineaddress)\w*\.json$/.test(name))) {
      const text = readFileSync(path.join(recorded, file), 'utf8')
      answers.set(JSON.parse(text).result.input.address.address, text)
    }
    const none = answers.get('99999 Nonexistent Fake St, Nowhere, ZZ 00000') as string
    server = await startTestServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://census')
      if (url.pathname !== '/geocoder/geographies/onelineaddress') response.writeHead(404).end('<html>')
      else response.setHeader('content-type', 'application/json').end(answers.get(url.searchParams.get('address') ?? '') ?? none)
    })
    return openGeocoder({ geocoder: 'census', geocoder_url: server.url }, http)
  }

  it('returns the county from a response in which most layers failed', async () => {
    const census = await openCensus()
    expect(await census.find('1600 Pennsylvania Avenue NW, Washington, DC, 20500', TIMEOUT_MS)).toEqual([
      {
        street: '1600 PENNSYLVANIA AVE NW',
        city: 'WASHINGTON',
        state: 'DC',
        postal_code: '20502',
        county_fips: '11001',
        latitude: 38.898754,
        longitude: -77.03535,
        precision: 'range',
        in_us: true,
      },
    ])
    const { searchParams } = new URL(server.requests[0]?.path ?? '', server.url)
    expect(Object.fromEntries(searchParams)).toEqual({
      address: '1600 Pennsylvania Avenue NW, Washington, DC, 20500',
      benchmark: 'Public_AR_Current',
      vintage: 'Current_Current',
      format: 'json',
    })
  })

  it.each([
    ['100 Joe Nuxhall Way, Cincinnati, OH 45202', '100 JOE NUXHALL WAY', 39.09612, -84.50828],
    ['14001 Conner Downs, Pflugerville, TX 78660', '14001 CONNER DOWNS DR', 30.41706, -97.6474],
    ['4600 Silver Hill Road, Suitland, MD 20746', '4600 Silver Hill Rd', 38.84654, -76.92691],
  ])('takes the house number of %j from the matched line, and the longitude from x', async (address, street, latitude, longitude) => {
    const census = await openCensus()
    const [match] = await census.find(address, TIMEOUT_MS)
    expect(match?.street).toBe(street)
    expect([match?.latitude, match?.longitude].map((degrees) => Number(degrees?.toFixed(5)))).toEqual([latitude, longitude])
  })

  it('locates by the response, with the county from the map if its layer failed or was not requested', async () => {
    const app = { ...world.app, geocode: await openCensus() }
    expect(await locate(app, '14001 Conner Downs, Pflugerville, TX 78660')).toEqual({
      place: {
        street: '14001 Conner Downs Dr',
        city: 'Pflugerville',
        state: 'TX',
        postal_code: '78660',
        county: 'Travis',
        county_fips: '48453',
        latitude: 30.41706,
        longitude: -97.6474,
        precision: 'range',
        timezone: 'America/Chicago',
      },
    })
  })

  it('reports no match from a 200', async () => {
    const app = { ...world.app, geocode: await openCensus() }
    expect(await locate(app, '99999 Nonexistent Fake St, Nowhere, ZZ 00000')).toMatchObject({ failure: 'address_not_found' })
  })

  it('fails with an HTML page, an error status or an unexpected shape, and the embedded tables take over', async () => {
    for (const body of [
      '<html>maintenance</html>',
      '{"errors":["down"],"status":"400"}',
      '{"result":{"addressMatches":[{"matchedAddress":"1 A ST"}]}}',
    ]) {
      server = await startTestServer((_, response) => response.end(body))
      const geocode = openGeocoder({ geocoder: 'census', geocoder_url: `${server.url}/geocoder` }, http)
      await expect(geocode.find('100 Main St, Moore, OK 73160', TIMEOUT_MS)).rejects.toThrow()
      expect(await locate({ ...world.app, geocode }, '100 Main St, Moore, OK 73160')).toEqual({
        place: expect.objectContaining({ precision: 'zip' }),
      })
      await server.close()
    }
    expect((await world.app.pool.query(`SELECT query_key FROM geocode_answers WHERE query_key LIKE '100 main%'`)).rows).toEqual([])
  })

  it('times out, and the embedded tables take over', async () => {
    server = await startTestServer(() => {})
    const geocode = openGeocoder({ geocoder: 'census', geocoder_url: server.url }, http)
    expect(await locate({ ...world.app, geocode }, '100 Main St, Moore, OK 73160', { timeout_ms: 100 })).toEqual({
      place: expect.objectContaining({ precision: 'zip' }),
    })
  })
})

describe.skipIf(!existsSync(recorded))('Nominatim as recorded (skipped: real records not present)', () => {
  it('finds Ottawa abroad', async () => {
    server = await startTestServer((_, response) => response.end(readFileSync(path.join(recorded, 'nominatim_search_legacy.json'))))
    const nominatim = openGeocoder({ geocoder: 'nominatim', geocoder_url: server.url }, http)
    expect(await nominatim.find('Ottawa', TIMEOUT_MS)).toEqual([
      expect.objectContaining({ city: 'Ottawa', precision: 'city', in_us: false, latitude: 45.421106, longitude: -75.690308 }),
    ])
    expect(server.requests[0]?.path).toBe('/search?q=Ottawa&format=jsonv2&addressdetails=1&limit=5')
  })
})

describe('Nominatim', () => {
  it('distinguishes a building, an interpolated number, a street, a ZIP code and a town, and leaves out whole states', async () => {
    const row = { lat: '35.33', lon: '-97.48', addresstype: 'x', type: 'x' }
    const address = {
      road: 'Main Street',
      city: 'Moore',
      state: 'Oklahoma',
      'ISO3166-2-lvl4': 'US-OK',
      postcode: '73160-1234',
      country_code: 'us',
    }
    const rows = [
      { ...row, place_rank: 30, address: { ...address, house_number: '100' } },
      { ...row, place_rank: 30, osm_type: 'way', category: 'building', address: { ...address, house_number: '100' } },
      // Interpolated from TIGER's ranges or between two numbers of OpenStreetMap: Nominatim returns the way of the street.
      { ...row, place_rank: 30, osm_type: 'way', category: 'place', type: 'house', address: { ...address, house_number: '100' } },
      { ...row, place_rank: 26, address },
      { ...row, place_rank: 21, addresstype: 'postcode', address },
      { ...row, place_rank: 16, address },
      { ...row, place_rank: 8, address },
    ]
    server = await startTestServer((_, response) => response.end(JSON.stringify(rows)))
    const found = await openGeocoder({ geocoder: 'nominatim', geocoder_url: server.url }, http).find('100 Main Street, Moore', TIMEOUT_MS)
    expect(found.map(({ precision }) => precision)).toEqual(['point', 'point', 'range', 'range', 'zip', 'city'])
    expect(found[0]).toEqual({
      street: '100 Main Street',
      city: 'Moore',
      state: 'OK',
      postal_code: '73160',
      county_fips: null,
      latitude: 35.33,
      longitude: -97.48,
      precision: 'point',
      in_us: true,
    })
  })
})

describe('Pelias', () => {
  it('distinguishes a point, an interpolated number, a ZIP code and a town, and supports the territories', async () => {
    const properties = {
      layer: 'address',
      accuracy: 'point',
      housenumber: '100',
      street: 'Main Street',
      locality: 'Moore',
      region_a: 'OK',
      country_a: 'USA',
      postalcode: '73160',
    }
    const feature = (changes: object) => ({
      geometry: { type: 'Point', coordinates: [-97.48, 35.33] },
      properties: { ...properties, ...changes },
    })
    const features = [
      feature({}),
      feature({ accuracy: 'interpolated' }),
      feature({ layer: 'postalcode' }),
      feature({ layer: 'locality' }),
      feature({ layer: 'region' }),
      feature({ region_a: null, country_a: 'USA', dependency_a: 'PRI' }),
      feature({ region_a: 'ON', country_a: 'CAN' }),
    ]
    server = await startTestServer((_, response) => response.end(JSON.stringify({ features })))
    const found = await openGeocoder({ geocoder: 'pelias', geocoder_url: `${server.url}/` }, http).find(
      '100 Main Street, Moore',
      TIMEOUT_MS,
    )
    expect(found.map(({ precision, state, in_us }) => `${precision} ${state} ${in_us}`)).toEqual([
      'point OK true',
      'range OK true',
      'zip OK true',
      'city OK true',
      'point PR true',
      'point null false',
    ])
    expect(server.requests[0]?.path).toBe('/v1/search?text=100+Main+Street%2C+Moore&size=5')
  })
})

describe('an unreadable response', () => {
  it.each(['Jane Quill, 1 Main St: no match', '{"features":[{"properties":{"label":"Jane Quill, 1 Main St"', '{"features":"Jane Quill"}'])(
    "is reported with the provider's name only: %s",
    async (body) => {
      server = await startTestServer((_request, response) => response.setHeader('content-type', 'application/json').end(body))
      const provider = openGeocoder({ geocoder: 'pelias', geocoder_url: server.url }, http)
      await expect(provider.find('Jane Quill, 1 Main St', TIMEOUT_MS)).rejects.toThrow(/^127\.0\.0\.1:\d+ answered what cannot be read$/)
    },
  )
})
