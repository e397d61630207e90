import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import type { ZoneMember } from '#domain/archive/sources/source.ts'
import { present } from '#domain/kernel/present.ts'

/** Makes the session's table that keepMembers copies into: the table of zones changes only when all of it has come. */
export async function prepareZones(client: pg.ClientBase): Promise<void> {
  await client.query('CREATE TEMP TABLE incoming_members (zone text, county_fips text, name text)')
}

export async function stageMembers(client: pg.ClientBase, members: ZoneMember[]): Promise<void> {
  await copyRows(
    client,
    'incoming_members',
    ['zone', 'county_fips', 'name'],
    members.map(({ zone, county_fips, name }) => [zone, county_fips, name]),
  )
}

/**
 * Takes over the zones that came, each with all of its counties. Zones that the file does not name stay as they are: older
 * records name zones that the agency has retired since, and a file of one state or a cut one takes nothing from the others.
 */
export async function upsertZones(client: pg.ClientBase): Promise<{ inserted: number; updated: number; withdrawn: number }> {
  const { rows } = await client.query<{ inserted: number; updated: number; withdrawn: number }>(
    `WITH removed AS (
       DELETE FROM zone_counties z
        WHERE EXISTS (SELECT FROM incoming_members i WHERE i.zone = z.zone)
          AND NOT EXISTS (SELECT FROM incoming_members i WHERE i.zone = z.zone AND i.county_fips = z.county_fips) RETURNING 1
     ), held AS (
       INSERT INTO zone_counties AS z (zone, county_fips, name)
       SELECT DISTINCT ON (zone, county_fips) zone, county_fips, nullif(name, '') FROM incoming_members ORDER BY zone, county_fips, name DESC
       ON CONFLICT (zone, county_fips) DO UPDATE SET name = excluded.name WHERE z.name IS DISTINCT FROM excluded.name
       RETURNING xmax = 0 AS added
     )
     SELECT (SELECT count(*) FROM held WHERE added)::int AS inserted, (SELECT count(*) FROM held WHERE NOT added)::int AS updated,
            (SELECT count(*) FROM removed)::int AS withdrawn`,
  )
  return present(rows[0])
}
