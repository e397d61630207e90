import { beforeEach, describe, expect, it } from 'vitest'
import { stageDetection } from '#domain/archive/ingest/stage-detection.ts'
import { storeCells } from '#domain/archive/radar/cell-records.ts'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { centreOf, gridCellAt } from '#domain/archive/radar/grid.ts'
import { storeFrames } from '#domain/archive/radar/upsert.ts'
import { inTransaction } from '#domain/engines/database.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { aProperty, aTerritory, box, events, exposures, frisco, storm } from './storm.ts'

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

describe('a watch that reaches one cell only', () => {
  /** The north-western cell of its block: the one that touches it there is in another block, and another search cell. */
  const own = { row: 2100, column: 3300 }
  const watchOwnCell = async () => {
    await aProperty(world, team, { label: 'Small', ...centreOf(own), watch_radius_miles: 0.5 })
    await world.drain()
  }
  /** Stores and detects a frame with hail in these cells, by default of two inches and an hour ago. */
  async function frame(cells: (typeof own)[], { minutes_ago = 60, size_mm = 50.8 } = {}): Promise<void> {
    const valid_at = new Date(world.clock.now().getTime() - minutes_ago * 60_000)
    const large = frameOfCells(
      valid_at,
      cells.map((cell) => ({ ...cell, size_mm })),
    )
    const touched = await inTransaction(world.app.pool, (client) => storeFrames(client, 'noaa_mesh', [large], null))
    await stageDetection(world.app.pool, [touched], { quiet: false })
    await world.drain()
  }
  const cited = async () => {
    const { rows } = await world.app.pool.query<{ source_key: string }>(
      'SELECT r.source_key FROM exposures e JOIN archive_records r ON r.id = ANY (e.record_ids)',
    )
    return rows.map(({ source_key }) => source_key.split('/').slice(2).map(Number))
  }
  const stored = () => world.app.db.archiveRecord.count()

  it('counts it if another beyond its reach touches it, and cites only its own', async () => {
    await watchOwnCell()
    await frame([own, { row: 2099, column: 3299 }, { row: 2098, column: 3298 }, { row: 2105, column: 3305 }])
    expect(await exposures(world)).toMatchObject([{ largest_detected_in: 2, nearest_miles: 0, reports: 0 }])
    expect(await cited()).toEqual([[own.row, own.column]])
    expect(await events(world)).toEqual(['exposure.detected'])
    expect(await stored()).toBe(2)
  })

  it('counts it from the size of which a record states an inch', async () => {
    await watchOwnCell()
    await frame([own, { row: 2099, column: 3299 }], { size_mm: 25.2 })
    expect(await stored()).toBe(0)
    await frame([own, { row: 2099, column: 3299 }], { minutes_ago: 58, size_mm: 25.3 })
    expect(await exposures(world)).toMatchObject([{ largest_detected_in: 1 }])
  })

  it('does not count it alone', async () => {
    await watchOwnCell()
    await frame([own, { row: 2102, column: 3300 }])
    await frame([{ row: 2100, column: 3301 }], { minutes_ago: 58 })
    expect(await exposures(world)).toEqual([])
  })

  it('counts it in a backfill, whatever blocks the two cells are in', async () => {
    await frame([own, { row: 2099, column: 3299 }])
    expect(await stored()).toBe(0)
    await watchOwnCell()
    expect(await cited()).toEqual([[own.row, own.column]])
    expect(await events(world)).toEqual([])
  })

  it('of a territory counts one inside that touches one outside', async () => {
    const { latitude, longitude } = centreOf(own)
    await aTerritory(world, team, box(latitude - 0.004, longitude - 0.004, latitude + 0.004, longitude + 0.004))
    await frame([own, { row: 2099, column: 3299 }])
    expect(await cited()).toEqual([[own.row, own.column]])
  })
})
