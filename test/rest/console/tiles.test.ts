import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import type { Team } from '#generated/prisma/client.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { signIn } from '#test/support/browser-session.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let team: Team
let cookie: string

const own = { 'x-weather-console': '1', 'sec-fetch-site': 'same-origin' }
const tile = (headers: Record<string, string>, address = '0/0/0') =>
  rest.fastify.inject({ method: 'GET', url: `/app/tiles/${address}.mvt`, headers })

beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  team = await aTeam(world)
  await storeRecord(world, { latitude: 33.15, longitude: -96.82, hail_size_in: 2, occurred_on: '2025-05-28' })
  await refreshMaps(world.app)
  cookie = (await signIn(world, rest.fastify, team.id, 'vic@example.com', 'viewer')).cookie
})
afterAll(() => rest.close())

test('the console’s session gets the same tile bytes that the API returns for a token', async () => {
  const sent = await tile({ ...own, cookie })
  expect(sent.statusCode).toBe(200)
  expect(sent.headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'cache-control': 'private, max-age=3600' })
  expect(sent.rawPayload.length).toBeGreaterThan(0)
  const again = await tile({ ...own, cookie, 'if-none-match': String(sent.headers.etag) })
  expect(again.statusCode).toBe(304)
})

test('a cookie is accepted only from the console, and only while its session lasts', async () => {
  expect((await tile({ cookie })).statusCode).toBe(401)
  expect((await tile({ ...own, cookie, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(401)
  expect((await tile({ ...own, cookie, origin: 'https://elsewhere.example' })).statusCode).toBe(401)
  expect((await tile(own)).json()).toMatchObject({ code: 'unauthenticated' })
  expect((await tile({ ...own, cookie: 'weather_session=made-up' })).statusCode).toBe(401)
  expect((await tile({ ...own, cookie }, '2/9/0')).statusCode).toBe(404)
  // The API itself accepts no cookie, whatever else is sent with it.
  const api = await rest.fastify.inject({ method: 'GET', url: '/api/v1/tiles/0/0/0.mvt', headers: { ...own, cookie } })
  expect(api.statusCode).toBe(401)
})

test('an allowed map of the install is served by name, and nothing else is', async () => {
  const policyOf = async (config: object) => {
    const other = await openWorld({ config })
    const { fastify, close } = await openRest(other)
    const { headers } = await fastify.inject({ method: 'GET', url: '/app/inbox' })
    await close()
    return String(headers['content-security-policy'])
  }
  const plain = await policyOf({})
  expect(plain).toContain("connect-src 'self';")
  expect(plain).toContain("worker-src 'self';")
  // A file that the person chose is shown before it is sent; no script and no style is one.
  expect(plain).toContain("img-src 'self' data: blob:;")
  expect(plain.replace("img-src 'self' data: blob:", '')).not.toMatch(/unsafe|blob:|https?:/)
  const chosen = await policyOf({
    basemap_style_url: 'https://maps.example.com/style.json?key=1',
    basemap_origins: ['https://tiles.example.com'],
  })
  expect(chosen).toContain("connect-src 'self' https://maps.example.com https://tiles.example.com;")
  expect(chosen).toContain("script-src 'self';")
})

test('a link in a post opens in the console; the map page itself stays', async () => {
  const { base_url, console_url } = world.app.config
  expect(base_url).not.toBe('')
  const getMap = (query: string) => rest.fastify.inject({ method: 'GET', url: `/map${query}` })
  expect((await getMap('?exposure=17')).headers.location).toBe(`${console_url}/exposures/17`)
  for (const query of ['', '?exposure=', '?exposure=17/../../elsewhere', '?exposure=//elsewhere.example', '?exposure=1&exposure=2'])
    expect((await getMap(query)).statusCode, query).toBe(200)
})
