import { beforeEach, expect, it } from 'vitest'
import { stageDetection } from '#domain/archive/ingest/stage-detection.ts'
import { storeCells } from '#domain/archive/radar/cell-records.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { aProperty, events, exposures, frisco, storm } from './storm.ts'

let world: World
let team: Team
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
  team = await aTeam(world)
  await aProperty(world, team, { watch_radius_miles: 2 })
})

const { row, column } = gridCellAt(frisco.latitude, frisco.longitude)

/** Stores radar estimates: cells down and across from the property's own cell, in millimetres, at a UTC time that evening. */
async function scans(...cells: [down: number, across: number, size_mm: number, time?: string][]): Promise<void> {
  const scanned = cells.map(([down, across, size_mm, time = '22:30']) => ({
    source: 'noaa_mesh' as const,
    valid_at: new Date(`2019-03-24T${time}:00Z`),
    row: row + down,
    column: column + across,
    size_mm,
  }))
  await storeCells(world.app.pool, scanned)
  const touched = {
    inserted: 1,
    updated: 0,
    withdrawn: 0,
    cells: cellsWithin(frisco.latitude, frisco.longitude, 5),
    from: '2019-03-23',
    to: '2019-03-24',
  }
  await stageDetection(world.app.pool, [touched], { quiet: false })
  await world.drain()
}

it('needs two cells of an inch that touch in one scan', async () => {
  await scans([0, 0, 30])
  await scans([0, 2, 30], [1, 1, 25.2], [1, 0, 30, '22:32'])
  expect(await exposures(world)).toEqual([])
  await scans([-1, 1, 40])
  expect(await exposures(world)).toMatchObject([
    {
      headline: expect.stringMatching(/^Radar estimated hail up to 1\.57 in \d\.\d mi \w+ of HQ on 2019-03-24$/),
      reports: 0,
      sources: 1,
      hail: 0,
      largest_measured_in: null,
      largest_detected_in: 1.57,
      observed: false,
      evidence: ['radar'],
    },
  ])
  expect(await events(world)).toEqual(['exposure.detected'])
})

it('needs only one beside a ground report, and never mixes the two', async () => {
  await scans([0, 0, 50.8])
  await storm(world, [{ MAGNITUDE: '1.00' }])
  expect(await exposures(world)).toMatchObject([
    {
      headline: 'Hail up to 1.00 in reported at HQ on 2019-03-24',
      reports: 1,
      sources: 2,
      hail: 1,
      largest_measured_in: 1,
      largest_detected_in: 2,
      nearest_miles: 0,
      observed: true,
      evidence: ['ground', 'radar'],
    },
  ])
})

it('cites the largest estimate of each storm, and the one over the place', async () => {
  await scans([0, 0, 30], [0, 1, 35], [1, 1, 45], [0, 0, 28, '22:32'], [0, 1, 27, '22:32'], [1, 1, 30, '23:50'], [1, 0, 31, '23:50'])
  const [exposure] = await exposures(world)
  const { rows } = await world.app.pool.query<{ source_key: string }>(
    'SELECT source_key FROM archive_records WHERE id = ANY ($1) ORDER BY source_key',
    [exposure?.record_ids],
  )
  expect(rows.map(({ source_key }) => source_key)).toEqual([
    `mesh/2019-03-24T22:30:00Z/${row}/${column}`,
    `mesh/2019-03-24T22:30:00Z/${row + 1}/${column + 1}`,
    `mesh/2019-03-24T23:50:00Z/${row + 1}/${column}`,
  ])
})
