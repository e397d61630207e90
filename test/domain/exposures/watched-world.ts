import { aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { aProperty, aTerritory, box } from './storm.ts'

/** Places in the path of the storms of March 2019. */
const northTexas: [latitude: number, longitude: number][] = [
  [33.2, -96.65],
  [33.1, -96.8],
  [33.3, -97.1],
  [32.9, -97.3],
  [33.6, -96.6],
]

/** Watches over north Texas and at the given places, with their own names in each world. The clock is just after the file's compile. */
export async function aWatchedWorld(otherPlaces: [latitude: number, longitude: number][] = []): Promise<World> {
  const world = await openWorld()
  world.clock.set('2019-06-20T00:00:00Z')
  const team = await aTeam(world)
  for (const [place, [latitude, longitude]] of [...northTexas, ...otherPlaces].entries())
    await aProperty(world, team, { label: `W${place}`, latitude, longitude, watch_radius_miles: 10 } as Parameters<typeof aProperty>[2])
  await aTerritory(world, team, box(33.0, -96.85, 33.4, -96.3), 'Collin')
  await world.drain()
  return world
}

/** Every exposure in full, with how often it was announced. Ids are replaced by what they name, and times by whether they are set. */
export async function everything(world: World): Promise<{ announced: number }[]> {
  const { rows } = await world.app.pool.query<{ exposure: { announced: number } }>(`
    SELECT to_jsonb(e) - '{id,team_id,property_id,territory_id,record_ids,first_seen_at,last_seen_at,escalated_at}'::text[]
           || jsonb_build_object('place', coalesce(p.label, t.name), 'notified_at', e.notified_at IS NOT NULL,
              'records', ARRAY(SELECT r.source_key FROM unnest(e.record_ids) WITH ORDINALITY AS cited (id, place) JOIN archive_records r USING (id) ORDER BY cited.place),
              'announced', (SELECT count(*)::int FROM events v WHERE v.name <> 'exposure.escalated' AND v.exposure_ids @> ARRAY[e.id])) AS exposure
      FROM exposures e LEFT JOIN properties p ON p.id = e.property_id LEFT JOIN territories t ON t.id = e.territory_id
     ORDER BY coalesce(p.label, t.name), e.date, e.warning_key`)
  return rows.map(({ exposure }) => exposure)
}
