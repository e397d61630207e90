import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import type { ZoneMember } from '#domain/archive/sources/source.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'
import { present } from '#domain/kernel/present.ts'

/** Creates the session's table that stageMembers copies into. The table of zones changes only when all of the file has arrived. */
export async function prepareZones(client: pg.ClientBase): Promise<void> {
  await client.query('CREATE TEMP TABLE incoming_members (zone text, county_fips text, name text)')
}

/** Copies counties of zones into the session's table of prepareZones. */
export async function stageMembers(client: pg.ClientBase, members: ZoneMember[]): Promise<void> {
  await copyRows(
    client,
    'incoming_members',
    ['zone', 'county_fips', 'name'],
    members.map(({ zone, county_fips, name }) => [zone, county_fips, name]),
  )
}

/**
 * Upserts the zones of the file, each with all of its counties. Zones that the file does not name stay as they are: older
 * records name zones that the agency has retired since, and a file of one state or a truncated one must not remove the
 * others.
 */
export async function upsertZones(client: pg.ClientBase): Promise<{ inserted: number; updated: number; withdrawn: number }> {
  const { rows } = await client.query<{ inserted: number; updated: number; withdrawn: number }>(
    `WITH coming AS MATERIALIZED (
       SELECT DISTINCT ON (zone, county_fips) zone, county_fips, nullif(name, '') AS name FROM incoming_members ORDER BY zone, county_fips, name DESC
     ), removed AS (
       DELETE FROM zone_counties z
        WHERE EXISTS (SELECT FROM coming i WHERE i.zone = z.zone)
          AND NOT EXISTS (SELECT FROM coming i WHERE i.zone = z.zone AND i.county_fips = z.county_fips) RETURNING *
     ), renamed AS (
       SELECT z.* FROM zone_counties z JOIN coming i USING (zone, county_fips) WHERE z.name IS DISTINCT FROM i.name
     ), kept AS (
       INSERT INTO zone_county_versions (zone, county_fips, name, from_revision, until_revision)
       SELECT zone, county_fips, name, revision, ${REVISION} FROM (SELECT * FROM removed UNION ALL SELECT * FROM renamed) before
        WHERE revision <> ${REVISION} ON CONFLICT DO NOTHING
     ), held AS (
       INSERT INTO zone_counties AS z (zone, county_fips, name) SELECT * FROM coming
       ON CONFLICT (zone, county_fips) DO UPDATE SET name = excluded.name, revision = excluded.revision WHERE z.name IS DISTINCT FROM excluded.name
       RETURNING xmax = 0 AS added
     )
     SELECT (SELECT count(*) FROM held WHERE added)::int AS inserted, (SELECT count(*) FROM held WHERE NOT added)::int AS updated,
            (SELECT count(*) FROM removed)::int AS withdrawn`,
  )
  return present(rows[0])
}
