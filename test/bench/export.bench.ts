import assert from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { serve } from './served-reports.ts'
import { type TakenFile, takeFile } from './taken-file.ts'

export const claim = 'A listing is a file within seconds: its first byte at once, its memory that of a few pages'

/** Properties of the team. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
/** A limit that is never reached. */
const LIMIT = 100_000_000
/** Limit in bytes on the process's growth while a file of any length is sent. */
const GROWTH_MAX_BYTES = 300e6

interface Stage {
  client: Pool
  pool: pg.Pool
  token: string
  team_id: string
  size: number
}

const PROPERTIES = `
  INSERT INTO properties (id, team_id, label, query, query_key, address_key, street, city, state, postal_code, county, county_fips, tags, latitude,
                          longitude, precision, located, created_at)
  SELECT gen_random_uuid(), $1, 'Roof ' || n, n || ' Elm St, Moore, OK 73160', 'elm ' || n, 'elm ' || n, n || ' Elm St', 'Moore', 'OK', '73160',
         'Cleveland County', '40027', ARRAY['roof', 'book ' || n % 50], 30 + n / 1e6, -97.5, 'point', true, now() - n * interval '1 second'
    FROM generate_series(1, $2::int) n`

/** The peer: the database's own CSV of the export's columns, in the same order. */
const COPY = `COPY (
  SELECT id, coalesce(label, street, query) AS name, label, reference, kind, status, query AS address, street, city, state, postal_code, county,
         county_fips, latitude, longitude, located, precision, failure_reason, failure_message, watch_radius_miles, tags, notes, last_activity_on,
         created_at, updated_at, 'http://127.0.0.1/api/v1/properties/' || id AS url
    FROM properties WHERE team_id = '$team' ORDER BY created_at DESC, id DESC) TO STDOUT (FORMAT csv, HEADER)`

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: LIMIT, home: bed.folder }))
  bed.closing(() => closeApp(app))
  const team = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const granted = { team_id: team.id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null }
  const { token } = await issueToken(app.db, granted)
  await pool.query(PROPERTIES, [team.id, bed.size])
  await pool.query('VACUUM ANALYZE properties')
  const client = await serve(bed, await createApiServer(app), 2)
  return { client, pool, token, team_id: team.id, size: bed.size }
}

const exported = ({ client, token }: Stage, format = 'csv') =>
  client.request({ method: 'GET', path: `/exports/properties.${format}`, headers: { authorization: `Bearer ${token}` } })

async function copied({ pool, team_id }: Stage): Promise<TakenFile> {
  const connection = await pool.connect()
  try {
    return await takeFile(connection.query(copyTo(COPY.replace('$team', team_id))))
  } finally {
    connection.release()
  }
}

/** Sends a request, reads the first piece and disconnects. */
async function firstPiece(stage: Stage): Promise<void> {
  const { body } = await exported(stage)
  for await (const _ of body) break
}

export const arms: Arm<Stage>[] = [
  { name: 'export', case: 'a whole CSV', operations: 1, run: async (stage) => void (await takeFile((await exported(stage)).body)) },
  { name: 'COPY', case: 'a whole CSV', peer: true, operations: 1, run: async (stage) => void (await copied(stage)) },
  { name: 'first byte', case: 'a CSV begun', run: firstPiece },
]

export const reach: Reach[] = [
  {
    case: 'a whole CSV',
    arm: 'export',
    peer: 'COPY',
    ratio_at_most: 7,
    note: 'COPY has neither views nor a wall around the rows, and sends no HTTP',
  },
  { case: 'a CSV begun', arm: 'first byte', at_most: 200, percentile: 95 },
]

/** Both have every row once, and the process does not grow with the file that it sends. */
export async function check(stage: Stage): Promise<void> {
  const before = process.memoryUsage().rss
  let [peak, done] = [before, false]
  const watched = (async () => {
    for (; !done; await pause(20)) peak = Math.max(peak, process.memoryUsage().rss)
  })()
  const file = await takeFile((await exported(stage)).body)
  done = true
  await watched
  assert.equal(file.lines, stage.size + 1)
  assert.equal((await copied(stage)).lines, stage.size + 1)
  assert(peak - before < GROWTH_MAX_BYTES, `the process grew by ${Math.round((peak - before) / 1e6)} MB`)
}
