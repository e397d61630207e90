import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { asOwner } from '#test/support/as-owner.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { listen } from '#test/support/listen.ts'
import { statementsOf } from '#test/support/statements.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

const run = promisify(execFile)
const ROWS = 100_000
/** Pages of 1,000. */
const PAGES = ROWS / 1000

let world: World
let rest: Rest
let team: Team
let token: string
let port: number
let folder: string
/** The service's ends of the connections. */
const sockets = new Set<Socket>()

beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  rest.fastify.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  port = await listen(rest.fastify)
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  await world.owner.query(MANY_PROPERTIES, [team.id, ROWS])
  folder = await mkdtemp(path.join(tmpdir(), 'weather-exports-'))
})
afterAll(async () => {
  await rest.close()
  await rm(folder, { recursive: true, force: true })
})

/** A hundred rows for each moment. */
const MANY_PROPERTIES = `
  INSERT INTO properties (id, team_id, label, query, query_key, address_key, street, city, state, tags, notes, latitude, longitude, precision, located, created_at)
  SELECT gen_random_uuid(), $1, 'Roof ' || n, n || ' Elm St, Moore, OK', 'elm ' || n, 'elm ' || n, n || ' Elm St', 'Moore', 'OK', '{}', repeat('note ', 20),
         30 + n / 1e5, -97.5, 'point', true, now() - n / 100 * interval '1 minute'
    FROM generate_series(1, $2::int) n`

/** Sends a request over a socket, and resolves once the headers are there: nothing of the body is read yet. */
async function begin(file: string): Promise<http.IncomingMessage> {
  const answer = await requested(`/exports/${file}`)
  expect(answer.statusCode).toBe(200)
  return answer
}

async function requested(target: string): Promise<http.IncomingMessage> {
  const outgoing = http.get({
    host: '127.0.0.1',
    port,
    path: target,
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  const [answer] = (await once(outgoing, 'response')) as [http.IncomingMessage]
  outgoing.on('error', () => {})
  return answer
}

const pagesIn = (statements: string[]) => statements.filter((text) => text.includes('FROM properties p') && /< \(\$\d+::/.test(text)).length

/** Waits until the service has written all that it can to clients that read nothing. */
async function standsStill(): Promise<void> {
  const written = () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  for (let before = -1; before !== written(); ) {
    before = written()
    await pause(500)
  }
}

/** Bytes of heap in use after garbage collection. */
function heapInUse(): number {
  collect()
  return process.memoryUsage().heapUsed
}
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

describe(`an export of ${ROWS} rows`, () => {
  it('is refused while twenty others of the team are open, until one has ended', async () => {
    const open = await Promise.all(Array.from({ length: 20 }, () => begin('properties.csv')))
    for (const file of ['/exports/properties.csv', '/storms/2025-05-28.csv'])
      expect([file, (await requested(file)).statusCode]).toEqual([file, 429])
    open[0]?.destroy()
    await expect.poll(async () => (await requested('/exports/properties.csv?status=archived')).statusCode).toBe(200)
    for (const answer of open) answer.destroy()
    await waitUntil(async () => sockets.size === 0)
  })

  it('contains each of them once, newest first, and keeps a few pages of them in memory at a time', async () => {
    const answer = await begin('properties.csv')
    const rows = answer.pipe(parse({ columns: true }))
    const [ids, before] = [new Set<string>(), heapInUse()]
    let [peak, sum, last] = [0, 0, '9']
    for await (const { id, latitude, created_at } of rows as AsyncIterable<Record<string, string>>) {
      ids.add(String(id))
      sum += Math.round((Number(latitude) - 30) * 1e5)
      expect(created_at! <= last).toBe(true)
      last = created_at!
      if (ids.size % 20_000 === 0) peak = Math.max(peak, heapInUse() - before)
    }
    expect([ids.size, sum]).toEqual([ROWS, (ROWS * (ROWS + 1)) / 2])
    // The ids that this test collects take 10 MB of it; the whole file is 38 MB, and its rows ten times as much.
    expect(peak).toBeLessThan(40e6)
  })

  it('is read as fast as the client takes it: a slow client makes the database wait', async () => {
    const statements = await statementsOf(async () => {
      const answer = await begin('properties.csv')
      await standsStill()
      answer.destroy()
    })
    expect(pagesIn(statements)).toBeGreaterThan(0)
    expect(pagesIn(statements)).toBeLessThan(PAGES / 2)
  })

  it('stops with its client: no page is read after the client disconnects', async () => {
    const statements = await statementsOf(async () => {
      const answer = await begin('properties.csv')
      await once(answer, 'data')
      answer.destroy()
      await once(answer, 'close')
      await waitUntil(async () => sockets.size === 0)
      await pause(500)
    })
    expect(pagesIn(statements)).toBeLessThan(PAGES / 2)
  })

  it('that breaks off in the middle is not mistaken for a complete one', async () => {
    const answer = await begin('properties.geojson')
    await asOwner(world, 'ALTER TABLE properties RENAME TO properties_away')
    try {
      await expect(pipeline(answer, createWriteStream(path.join(folder, 'broken.geojson')))).rejects.toThrow('aborted')
    } finally {
      await asOwner(world, 'ALTER TABLE properties_away RENAME TO properties')
    }
    expect(answer.complete).toBe(false)
  })
})

describe('DuckDB, reading without any code of this service,', () => {
  it('reads each row of the CSV with its types, and the same sums', async () => {
    const file = path.join(folder, 'duck.csv')
    await pipeline(await begin('properties.csv'), createWriteStream(file))
    const duck = await (await DuckDBInstance.create(':memory:')).connect()
    const reader = await duck.runAndReadAll(
      `SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids, round(sum(latitude), 1) AS latitude, max(longitude) AS east, bool_and(located) AS located,
              typeof(any_value(created_at)) AS moment, sum(length(notes))::int AS letters FROM read_csv('${file}')`,
    )
    duck.closeSync()
    const { rows } = await world.app.pool.query(
      `SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids, round(sum(latitude)::numeric, 1)::float8 AS latitude, max(longitude) AS east,
              bool_and(located) AS located, sum(length(notes))::int AS letters FROM properties WHERE team_id = $1`,
      [team.id],
    )
    expect(reader.getRowObjectsJson()).toEqual([{ ...rows[0], moment: 'TIMESTAMP WITH TIME ZONE' }])
  })
})

/** GDAL's own reader; null if it is not installed. */
const gdal = await run('ogrinfo', ['--version']).then(
  ({ stdout }) => stdout,
  () => null,
)

describe.skipIf(gdal === null)('GDAL, reading without any code of this service,', () => {
  const count = (layer: string, file: string, options: string[] = []) =>
    run('ogrinfo', ['-ro', ...options, '-sql', `SELECT COUNT(*) AS n, SUM(latitude) AS sum, MAX(longitude) AS east FROM ${layer}`, file])

  it.each(['csv', 'geojson'])('reads each row of the %s and the same sum', async (format) => {
    const file = path.join(folder, `properties.${format}`)
    await pipeline(await begin(`properties.${format}`), createWriteStream(file))
    const { stdout } = await count('properties', file, format === 'csv' ? ['-oo', 'AUTODETECT_TYPE=YES'] : [])
    expect(stdout).toContain(`= ${ROWS}`)
    // The mean of 30.00001 to 31.
    expect(Number(/sum \(Real\) = ([\d.]+)/.exec(stdout)?.[1])).toBeCloseTo(ROWS * 30 + (ROWS + 1) / 2, 1)
    expect(stdout).toContain('= -97.5')
    if (format === 'csv') return
    const { stdout: summary } = await run('ogrinfo', ['-ro', '-so', '-al', file])
    expect(summary).toMatch(/Geometry: Point[\s\S]*Extent: \(-97\.5\d*, 30\.0+1\d*\) - \(-97\.5\d*, 31\.0+\)/)
  })
})
