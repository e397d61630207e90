import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueOperatorKey, revokeOperatorKey } from '#domain/access/operator-keys.ts'
import { withdrawToken } from '#domain/access/team-tokens.ts'
import { detailsName, sampleDetails } from '#domain/archive/sample/storm-files.ts'
import { currentBasemap } from '#domain/maps/basemap/store.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aBasemap } from '#test/support/basemap.ts'
import { allAbilities, aTeam, aToken } from '#test/support/factories.ts'
import { listen } from '#test/support/listen.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** Files larger than what is buffered for a client that reads nothing, even compressed. */
const ROWS = 6000
const LETTERS = 6000

let world: World
let rest: Rest
let team: Team
let port: number
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  port = await listen(rest.fastify)
  team = await aTeam(world)
  await world.owner.query(PROPERTIES, [team.id, ROWS, LETTERS])
  await world.owner.query(RECORDS, [ROWS, LETTERS])
})
afterAll(() => rest.close())

const PROPERTIES = `
  INSERT INTO properties (id, team_id, label, query, query_key, address_key, tags, notes, latitude, longitude, precision, located, created_at)
  SELECT gen_random_uuid(), $1, 'Roof ' || n, n || ' Elm St', 'elm ' || n, 'elm ' || n, '{}', repeat('n', $3), 30, -97.5, 'point', true, now()
    FROM generate_series(1, $2::int) n`

const RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, latitude, longitude, state, precision, evidence_kind,
                               is_observed, citation_url, description)
  SELECT 'noaa_storm_events', 'r' || n, 'hail', 'thunderstorm', 'moderate', '2012-05-01', '2012-05-01', 33, -97, 'TX', 'point', 'ground', true,
         'https://www.ncei.noaa.gov/', (SELECT string_agg(md5(n || ' ' || m), '') FROM generate_series(1, $2::int / 32) m)
    FROM generate_series(1, $1::int) n`

/** Sends a request over a socket, reads nothing for more than a second, runs an action, and reads the rest. */
async function take(path: string, token: string, meanwhile: () => Promise<unknown>): Promise<'whole' | 'broken off'> {
  const request = http.get({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` }, agent: false })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  expect(answer.statusCode).toBe(200)
  await meanwhile()
  await pause(1100)
  try {
    for await (const _part of answer);
    return 'whole'
  } catch {
    return 'broken off'
  }
}

/** Sends half a file, runs an action, and sends the rest a second later. */
async function bring(path: string, file: Buffer, key: string, meanwhile: () => Promise<unknown>, accept = '*/*') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream', accept }
  const request = http.request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
  const answered = once(request, 'response')
  request.write(file.subarray(0, file.length / 2))
  await pause(200)
  await meanwhile()
  await pause(1100)
  request.end(file.subarray(file.length / 2))
  const [answer] = (await answered) as [http.IncomingMessage]
  let text = ''
  for await (const part of answer) text += part
  return { status: answer.statusCode, text }
}

let keys = 0
async function aKey(): Promise<{ key: string; revoke(): Promise<unknown> }> {
  const name = `key ${++keys}`
  const { key } = await issueOperatorKey(world.app, { name, roles: ['all'], expires_at: null })
  return { key, revoke: () => revokeOperatorKey(world.app, name) }
}

const stay = async () => {}

describe('a download', () => {
  it('is complete for a client that keeps access, however slowly it reads', async () => {
    const [{ token }, { key }] = [await aToken(world, team), await aKey()]
    expect(await take('/exports/properties.csv', token, stay)).toBe('whole')
    expect(await take('/operator/archive/records.csv', key, stay)).toBe('whole')
  })

  it('breaks off if its token is revoked or expires meanwhile', async () => {
    const { token, prefix } = await aToken(world, team)
    const revoke = () => world.app.db.$transaction((tx) => withdrawToken(tx, prefix))
    expect(await take('/exports/properties.csv', token, revoke)).toBe('broken off')
    const { token: short } = await aToken(world, team, allAbilities, new Date(world.clock.now().getTime() + 60_000))
    expect(await take('/exports/properties.geojson', short, async () => world.clock.advance(120_000))).toBe('broken off')
  })

  it('breaks off if its token or its plan no longer allows it', async () => {
    const other = await aTeam(world)
    await world.owner.query(PROPERTIES, [other.id, ROWS, LETTERS])
    const { token, prefix } = await aToken(world, other)
    const narrow = () => world.owner.query(`UPDATE tokens SET abilities = '{account:read}' WHERE prefix = $1`, [prefix])
    expect(await take('/exports/properties.csv', token, narrow)).toBe('broken off')
    const { token: second } = await aToken(world, other)
    const downgrade = () => world.owner.query(`UPDATE teams SET plan = 'free' WHERE id = $1`, [other.id])
    expect(await take('/exports/properties.csv', second, downgrade)).toBe('broken off')
  })

  it.each(['csv', 'geoparquet'])('breaks off if the operator key of an archive as %s is revoked meanwhile', async (format) => {
    const { key, revoke } = await aKey()
    expect(await take(`/operator/archive/records.${format}`, key, revoke)).toBe('broken off')
  })
})

describe('an upload', () => {
  const details = Buffer.from(sampleDetails())
  const archive = `/operator/archive/sample?file_name=${encodeURIComponent(detailsName)}`
  const basemap = '/operator/basemap?file_name=texas.pmtiles'

  it('is accepted from a client that keeps access, however slowly it arrives', async () => {
    const { key } = await aKey()
    expect(await bring(archive, details, key, stay)).toMatchObject({ status: 200 })
  })

  it('is refused if its operator key is revoked meanwhile', async () => {
    const [first, second] = [await aKey(), await aKey()]
    expect(await bring(archive, details, first.key, first.revoke)).toMatchObject({ status: 401 })
    const { status, text } = await bring(archive, details, second.key, second.revoke, 'application/x-ndjson')
    expect(status).toBe(200)
    expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ object: 'error', status: 401, code: 'unauthenticated' })
  })

  it('does not become the basemap if its operator key is revoked meanwhile', async () => {
    const { key, revoke } = await aKey()
    expect(await bring(basemap, aBasemap({ attribution: 'Example' }), key, revoke)).toMatchObject({ status: 401 })
    expect(await currentBasemap(world.app)).toBeNull()
  })
})
