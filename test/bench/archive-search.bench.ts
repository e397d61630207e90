import assert from 'node:assert'
import type pg from 'pg'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import { findNear, findStatement } from '#domain/archive/search/find-near.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { type Clock, systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { openLog } from '#domain/engines/log.ts'
import { EARTH_RADIUS_MILES } from '#domain/geo/measure.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { compile } from '#domain/reports/compile.ts'
import { summaryOf } from '#domain/reports/preview.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { placeAt } from './place-at.ts'
import { stormCentres, stormFile, streamOf } from './storm-files.ts'
import { vacuum } from './vacuum.ts'

export const claim = 'What lies in a circle and a window is found from one index, without PostGIS and faster than with it'

/** Records, over 30 years of made-up storms, imported by the service itself. */
export const sizes = { small: [20_000, 200_000], full: [200_000, 2_000_000] } as const
const FIRST_YEAR = 1996
const YEARS = 30

interface Stage {
  pool: pg.Pool
  clock: Clock
  places: LocatedPlace[]
  postgis: boolean
}

interface Case {
  name: string
  radius_miles: number
  years: number
}

const cases: Case[] = [
  { name: '25 mi / 5 y', radius_miles: 25, years: 5 },
  { name: '50 mi / 10 y', radius_miles: 50, years: 10 },
  { name: '100 mi / 10 y', radius_miles: 100, years: 10 },
]

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { db, pool, close } = openDatabase(url)
  bed.closing(close)
  const app = { db, pool, clock: systemClock, log: openLog('silent'), config: { observations_years: 0 } }
  const centres = stormCentres(bed.random)
  for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year++) {
    const file = stormFile(year, Math.round(bed.size / YEARS), centres, bed.random)
    await ingest(app, 'storm-events', streamOf(file), { file_name: file.file_name })
  }
  if (bed.postgis) await createPeerTable(pool)
  return { pool, clock: systemClock, places: centres.map(placeAt), postgis: bed.postgis }
}

/** The peer's own table: only the columns that it needs, in the order of its index, one row for each shape. */
async function createPeerTable(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE EXTENSION postgis; CREATE EXTENSION btree_gist;
    CREATE TABLE peer AS
      SELECT id, occurred_on, latitude, longitude, precision = 'path' AS extent,
             CASE WHEN precision = 'path' THEN ST_MakeLine(ST_MakePoint(longitude, latitude), ST_MakePoint(end_longitude, end_latitude))
                  ELSE ST_MakePoint(longitude, latitude) END::geography AS place
        FROM archive_records ORDER BY ST_GeoHash(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 6), occurred_on;
    CREATE INDEX peer_place ON peer USING gist (place, occurred_on)`)
  await vacuum(pool, 'peer')
}

/** Largest number of our results relative to PostGIS': the ellipse around the circle is 1 % larger, and a path is found with each of its cells. */
const FOUND_AT_MOST = 1.25

/** The same place and the same years in every arm, different for each turn. */
function questionOf({ places }: Stage, { radius_miles, years }: Case, turn: number): { place: LocatedPlace; window: SearchWindow } {
  const first = FIRST_YEAR + ((turn * 7) % (YEARS - years))
  return {
    place: places[(turn * 13) % places.length] as LocatedPlace,
    window: { start: `${first}-01-01`, end: `${first + years - 1}-12-31`, radius_miles },
  }
}

function find(stage: Stage, of: Case, turn: number): Promise<number[]> {
  const { place, window } = questionOf(stage, of, turn)
  return findNear(stage.pool, place, window, [])
}

/** Metres in a mile, and how much wider a circle on the ellipsoid is at most than on the sphere. */
const METRES = 1609.344
const ELLIPSOID = 1.006
const BEST = {
  name: 'peer',
  text: `
    SELECT array_agg(id)::text AS ids FROM peer
     WHERE place && _ST_Expand(ST_SetSRID(ST_MakePoint($2::float8, $1::float8), 4326)::geography, $3::float8 * ${METRES * ELLIPSOID})
       AND occurred_on BETWEEN $4::date AND $5::date
       AND (extent OR ${2 * EARTH_RADIUS_MILES} * asin(least(1, sqrt(power(sin(radians(latitude - $1::float8) / 2), 2)
           + cos(radians($1::float8)) * cos(radians(latitude)) * power(sin(radians(longitude - $2::float8) / 2), 2)))) <= $3::float8)`,
}

/** Transported like our own result. */
async function findByPeer(stage: Stage, of: Case, turn: number): Promise<number[]> {
  const { place, window } = questionOf(stage, of, turn)
  const values = [place.latitude, place.longitude, window.radius_miles, window.start, window.end]
  const { rows } = await stage.pool.query<{ ids: string | null }>({ ...BEST, values })
  return rows[0]?.ids?.slice(1, -1).split(',').map(Number) ?? []
}

const noPostgis = ({ postgis }: Stage) => (postgis ? null : 'no PostGIS')

const EVERY = 'cells, every record read'
const PREVIEW = 'the same, summed up for a preview'

export const arms: Arm<Stage>[] = cases.flatMap((of) => [
  { name: 'cells', case: of.name, run: async (stage, turn) => void (await find(stage, of, turn)) },
  { name: 'PostGIS', case: of.name, peer: true, missing: noPostgis, run: async (stage, turn) => void (await findByPeer(stage, of, turn)) },
  {
    name: EVERY,
    case: of.name,
    async run(stage, turn) {
      const { place, window } = questionOf(stage, of, turn)
      await searchArchive(stage, place, window)
    },
  },
  {
    name: PREVIEW,
    case: of.name,
    async run(stage, turn) {
      const { place, window } = questionOf(stage, of, turn)
      const evidence = await searchArchive(stage, place, window)
      const options = { as_of: null, date_of_loss: null, plan_tier: 'enterprise' as const }
      summaryOf((await compile(stage, place, window, evidence, options)).citations, null)
    },
  },
])

export const reach: Reach[] = [
  { case: '25 mi / 5 y', arm: 'cells', peer: 'PostGIS', ratio_at_most: 1 },
  { case: '100 mi / 10 y', arm: 'cells', peer: 'PostGIS', ratio_at_most: { small: 1, full: 0.5 } },
  { case: '50 mi / 10 y', arm: 'cells', at_most: 20, percentile: 50 },
  ...cases.map(({ name }): Reach => ({ case: name, arm: PREVIEW, beyond: EVERY, at_most: 100, percentile: 95 })),
]

/** The result is a little larger than the circle, and paths are candidates in both ways; `searchArchive` decides which of them are in. */
export async function check(stage: Stage): Promise<void> {
  if (!stage.postgis) return
  const { rows } = await stage.pool.query<{ id: number }>('SELECT id FROM peer WHERE extent')
  const paths = new Set(rows.map(({ id }) => id))
  for (const of of cases) {
    for (let turn = 0; turn < 20; turn++) {
      const { place, window } = questionOf(stage, of, turn)
      const { records } = await searchArchive(stage, place, window)
      const points = (ids: number[]) => [...new Set(ids.filter((id) => !paths.has(id)))].sort((a, b) => a - b)
      const found = await find(stage, of, turn)
      const foundByPeer = await findByPeer(stage, of, turn)
      assert.deepStrictEqual(
        foundByPeer.filter((id) => !found.includes(id) && !paths.has(id)),
        [],
      )
      assert(found.length <= FOUND_AT_MOST * foundByPeer.length + 5, `${found.length} are found of ${foundByPeer.length}`)
      assert.deepStrictEqual(points(records.map(({ id }) => id)), points(foundByPeer))
      for (const { id } of records) assert(foundByPeer.includes(id), `PostGIS does not offer the path ${id}`)
    }
  }
}

export async function explain(stage: Stage): Promise<Record<string, string>> {
  const of = cases[1] as Case
  const { place, window } = questionOf(stage, of, 0)
  const plan = async (text: string, values: unknown[]) => {
    const { rows } = await stage.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const statement = findStatement(place, window, [])
  const cellPlan = await plan(statement.text, statement.values)
  assert.match(cellPlan, /Index Only Scan using record_cells_cell_occurred_on_record_id_latitude_longitude_idx/)
  if (!stage.postgis) return { [`cells, ${of.name}`]: cellPlan }
  const peerPlan = await plan(BEST.text, [place.latitude, place.longitude, window.radius_miles, window.start, window.end])
  assert.match(peerPlan, /peer_place/)
  return { [`cells, ${of.name}`]: cellPlan, [`PostGIS, ${of.name}`]: peerPlan }
}
