import type pg from 'pg'
import { copyRows } from '#domain/archive/copy.ts'
import type { ZoneMember } from '#domain/archive/sources/source.ts'

/** Makes the session's table that keepMembers copies into: the table of zones is replaced only when all of it has come. */
export async function prepareZones(client: pg.ClientBase): Promise<void> {
  await client.query('CREATE TEMP TABLE incoming_members (zone text, county_fips text)')
}

export async function keepMembers(client: pg.ClientBase, members: ZoneMember[]): Promise<void> {
  await copyRows(
    client,
    'incoming_members',
    ['zone', 'county_fips'],
    members.map(({ zone, county_fips }) => [zone, county_fips]),
  )
}

/** Replaces the table of forecast zones by the one that came. */
export async function holdZones(client: pg.ClientBase): Promise<{ inserted: number; withdrawn: number }> {
  const { rows } = await client.query<{ inserted: number; withdrawn: number }>(
    `WITH removed AS (
       DELETE FROM zone_counties z WHERE NOT EXISTS (SELECT FROM incoming_members i WHERE i.zone = z.zone AND i.county_fips = z.county_fips) RETURNING 1
     ), added AS (
       INSERT INTO zone_counties (zone, county_fips) SELECT DISTINCT zone, county_fips FROM incoming_members ON CONFLICT DO NOTHING RETURNING 1
     )
     SELECT (SELECT count(*) FROM added)::int AS inserted, (SELECT count(*) FROM removed)::int AS withdrawn`,
  )
  return rows[0] as { inserted: number; withdrawn: number }
}
