import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import { MAY_REACH } from '#domain/exposures/may-reach.ts'
import { REACHED } from '#domain/exposures/touched-days.ts'
import { cellOf, cellsWithin } from '#domain/geo/cells.ts'
import { createDetectionPeer, detectedByPeer } from './detection-peer.ts'
import type { Bed, Reach } from './frame.ts'
import { stormCentres } from './storm-files.ts'
import { vacuum } from './vacuum.ts'

export const claim = 'What 10,000 new records touch of a million watched properties is found by one equality join, without PostGIS'

/** Properties, over the towns that the storms reach; the number of records stays the same. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
const RECORDS = { small: 1_000, full: 10_000 } as const
const DAYS = 30
/** Miles: usual radii, the most usual first. */
const RADII = [1, 1, 1, 0.5, 2, 5]
/** Degrees around a town. */
const SPREAD = 1.5

interface Stage {
  url: string
  pool: pg.Pool
  cells: number[]
  postgis: boolean
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const centres = stormCentres(bed.random)
  const around = (): [number, number] => {
    const [latitude, longitude] = bed.random.pick(centres)
    return [latitude + bed.random.between(-SPREAD, SPREAD), longitude + bed.random.between(-SPREAD, SPREAD)]
  }
  const teams = Array.from({ length: 100 }, () => randomUUID())
  const records = Array.from({ length: RECORDS[bed.run] }, (_, id) => {
    const [latitude, longitude] = around()
    return { id, latitude, longitude, cell: cellOf(latitude, longitude), day: `2025-05-${String(1 + (id % DAYS)).padStart(2, '0')}` }
  })
  function* watches() {
    for (let place = 0; place < bed.size; place++) {
      const [latitude, longitude] = around()
      const radius = RADII[place % RADII.length] as number
      const id = randomUUID()
      for (const cell of cellsWithin(latitude, longitude, radius))
        yield [id, cell, teams[place % teams.length] as string, 'property', latitude, longitude, radius]
    }
  }
  const client = await pool.connect()
  try {
    await copyRows(client, 'watch_cells', ['subject_id', 'cell', 'team_id', 'subject', 'latitude', 'longitude', 'radius_miles'], watches())
    const rows = records.map(({ id, cell, day, latitude, longitude }) => [id, cell, day, latitude, longitude])
    await copyRows(client, 'record_cells', ['record_id', 'cell', 'occurred_on', 'latitude', 'longitude'], rows)
  } finally {
    client.release()
  }
  if (bed.postgis) await createDetectionPeer(pool)
  await vacuum(pool, 'watch_cells')
  await vacuum(pool, 'record_cells')
  return { url, pool, cells: [...new Set(records.map(({ cell }) => cell))], postgis: bed.postgis }
}

const PEER = detectedByPeer(Math.max(...RADII))

const count = async (pool: pg.Pool, text: string, values: unknown[] = []) =>
  (await pool.query<{ found: number }>(`SELECT count(*)::int AS found FROM (${text}) found`, values)).rows[0]?.found ?? 0

const [FROM, TO] = ['2025-05-01', '2025-05-30']
const countReached = ({ pool, cells }: Stage) => count(pool, REACHED, [cells, FROM, TO])
const countReachedByPeer = ({ pool }: Stage) => count(pool, PEER)

export const arms = [
  { name: 'cells joined', run: async (stage: Stage) => void (await countReached(stage)) },
  {
    name: 'PostGIS',
    peer: true,
    missing: ({ postgis }: Stage) => (postgis ? null : 'no PostGIS'),
    run: async (stage: Stage) => void (await countReachedByPeer(stage)),
  },
]

export const reach: Reach[] = [{ arm: 'cells joined', peer: 'PostGIS', ratio_at_most: { small: 0.5, full: 0.1 } }]

/** The two spheres differ by four parts in a million: a place on the edge may be inside one and outside the other. */
const RIM = 1e-4

/**
 * MB of a Node.js process with its TypeScript loader and pages of 200 days: the same for a hundred thousand
 * properties as for a million.
 */
const PEAK_MB_MAX = 220

export async function check(stage: Stage): Promise<void> {
  const found = await countReached(stage)
  assert(found > 0, 'nothing was touched')
  const { days, peak_mb } = goThrough(stage)
  assert.strictEqual(days, found)
  assert(peak_mb <= PEAK_MB_MAX, `going through ${days} days took ${peak_mb} MB at the peak`)
  console.log(`  going through ${days} touched days, page by page: ${peak_mb} MB at the peak of the process`)
  if (stage.postgis) {
    const expected = await countReachedByPeer(stage)
    assert(Math.abs(found - expected) <= Math.max(2, expected * RIM), `we found ${found} days, PostGIS ${expected}`)
  }
}

/** Goes through all touched days as detection does, in a process whose memory is its own. */
function goThrough({ url, cells }: Stage): { days: number; peak_mb: number } {
  const script = path.join(import.meta.dirname, 'touched-process.ts')
  const env = { ...process.env, DATABASE_URL: url, CHANGE: JSON.stringify({ cells, from: FROM, to: TO }) }
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], { env, encoding: 'utf8' })
  assert(stdout, stderr)
  return JSON.parse(stdout)
}

export async function explain({ pool, cells }: Stage): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${REACHED}`, [cells, FROM, TO])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert(!MAY_REACH.includes('ST_'), 'the join asks PostGIS')
  return { 'cells joined': plan }
}
