import { expect, it } from 'vitest'
import { touchExposures } from '#domain/exposures/touch-exposures.ts'
import { aKeptProperty } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

it('every exposure of a place counts as changed, some at a time, so that the team is never locked for long', async () => {
  const world = await openWorld()
  const team = await aTeam(world)
  const { id: property_id } = await aKeptProperty(world, team)
  const before = '2020-01-01T00:00:00Z'
  await world.app.pool.query(
    `INSERT INTO exposures (team_id, kind, date, property_id, headline, first_seen_at, last_seen_at)
     SELECT $1, 'record', date '1900-01-01' + n, $2, 'Hail', $3, $3 FROM generate_series(1, 4001) n`,
    [team.id, property_id, before],
  )
  await touchExposures(world.app, { team_id: team.id, exposure_ids: [1], place_ids: [property_id] })
  const { rows } = await world.app.pool.query(
    'SELECT count(*)::int AS touched FROM exposures WHERE last_seen_at > $1 GROUP BY last_seen_at ORDER BY last_seen_at',
    [before],
  )
  expect(rows.map(({ touched }) => touched)).toEqual([2000, 2000, 1])
})
