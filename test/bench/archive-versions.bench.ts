import assert from 'node:assert'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { openLog } from '#domain/engines/log.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { placeAt } from './place-at.ts'
import { type StormFile, stormCentres, stormFile, streamOf } from './storm-files.ts'
import { vacuum } from './vacuum.ts'

export const claim =
  'An archive that keeps what a fifth of its records said three times before is searched as fast as one that keeps nothing'

export const sizes = { small: [20_000, 200_000], full: [200_000, 2_000_000] } as const
const FIRST_YEAR = 1996
const YEARS = 30
/** Compiles after the first, each of which revises every fifth row. */
const REVISIONS = ['1017', '1117', '1217']
const REVISED_EVERY = 5

interface Stage {
  plain: pg.Pool
  versioned: pg.Pool
  places: LocatedPlace[]
  /** After the first compile of every year, and before any row was revised. */
  before: Date
}

const cases = [
  { name: '25 mi / 5 y', radius_miles: 25, years: 5 },
  { name: '50 mi / 10 y', radius_miles: 50, years: 10 },
]

export async function setup(bed: Bed): Promise<Stage> {
  const centres = stormCentres(bed.random)
  const files = Array.from({ length: YEARS }, (_, year) => stormFile(FIRST_YEAR + year, Math.round(bed.size / YEARS), centres, bed.random))
  const plain = await filled(bed, files)
  const versioned = await filled(bed, files)
  const before = systemClock.now()
  for (const file of files) for (const revision of REVISIONS) await read(versioned, revised(file, revision))
  for (const pool of [plain, versioned]) await vacuum(pool)
  return { plain, versioned, places: centres.map(placeAt), before }
}

async function filled(bed: Bed, files: StormFile[]): Promise<pg.Pool> {
  const { url } = await bed.database()
  const { pool, close } = openDatabase(url)
  bed.closing(close)
  for (const file of files) await read(pool, file)
  return pool
}

async function read(pool: pg.Pool, file: StormFile): Promise<void> {
  await ingest({ pool, clock: systemClock, log: openLog('silent'), config: { observations_years: 0 } }, 'storm-events', streamOf(file), {
    file_name: file.file_name,
  })
}

/** The rows whose text a later compile changes. */
function revised({ bytes, year }: StormFile, compiled: string): StormFile {
  const [columns = '', ...lines] = gunzipSync(bytes).toString().trimEnd().split('\n')
  const some = lines.filter((_, row) => row % REVISED_EVERY === 0).map((line) => line.replace(/"$/, ` Revised ${compiled}."`))
  const file_name = `StormEvents_details-ftp_v1.0_d${year}_c${year + 1}${compiled}.csv.gz`
  return { file_name, year, bytes: gzipSync(`${[columns, ...some].join('\n')}\n`, { level: 1 }) }
}

function search(pool: pg.Pool, { places }: Stage, of: (typeof cases)[number], turn: number, as_of: Date | null = null) {
  const first = FIRST_YEAR + ((turn * 7) % (YEARS - of.years))
  const window: SearchWindow = { start: `${first}-01-01`, end: `${first + of.years - 1}-12-31`, radius_miles: of.radius_miles }
  return searchArchive({ pool, clock: systemClock }, places[(turn * 13) % places.length] as LocatedPlace, window, as_of)
}

export const arms: Arm<Stage>[] = cases.flatMap((of) => [
  {
    name: 'a fifth versioned three times',
    case: of.name,
    run: async (stage, turn) => void (await search(stage.versioned, stage, of, turn)),
  },
  { name: 'nothing versioned', case: of.name, peer: true, run: async (stage, turn) => void (await search(stage.plain, stage, of, turn)) },
  {
    name: 'as of the first compile',
    case: of.name,
    run: async (stage, turn) => void (await search(stage.versioned, stage, of, turn, stage.before)),
  },
])

export const reach: Reach[] = cases.map((of) => ({
  case: of.name,
  arm: 'a fifth versioned three times',
  peer: 'nothing versioned',
  ratio_at_most: 1.05,
}))

/** As of the first compile, one arm returns what the other still has. */
export async function check(stage: Stage): Promise<void> {
  for (const of of cases)
    for (let turn = 0; turn < 20; turn++) {
      const [then, plain, now] = await Promise.all([
        search(stage.versioned, stage, of, turn, stage.before),
        search(stage.plain, stage, of, turn),
        search(stage.versioned, stage, of, turn),
      ])
      const textsOf = ({ records }: typeof then) => records.map(({ source_key, description }) => `${source_key} ${description}`).sort()
      assert.deepStrictEqual(textsOf(then), textsOf(plain))
      assert.strictEqual(now.records.length, plain.records.length)
    }
}

/** The storage of versions: of the table, its indexes and the cells by which they are found. */
export async function explain({ versioned }: Stage): Promise<Record<string, string>> {
  const { rows } = await versioned.query<{ versions: number; bytes: number; records: number; record_bytes: number }>(`
    SELECT (SELECT count(*)::int FROM record_versions) AS versions,
           (pg_total_relation_size('record_versions') + pg_total_relation_size('record_past_cells'))::float8 AS bytes,
           (SELECT count(*)::int FROM archive_records) AS records,
           (pg_total_relation_size('archive_records') + pg_total_relation_size('record_cells'))::float8 AS record_bytes`)
  const [{ versions, bytes, records, record_bytes }] = rows as [(typeof rows)[number]]
  assert.strictEqual(versions, Math.ceil(records / YEARS / REVISED_EVERY) * YEARS * REVISIONS.length)
  return {
    storage: `${versions} versions: ${Math.round(bytes / versions)} bytes each; ${records} records: ${Math.round(record_bytes / records)} bytes each`,
  }
}
