import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { describe, expect, it } from 'vitest'
import { drawTile, TILE_BYTES_MAX, type TileContent } from '#domain/maps/draw.ts'
import { worldPoint } from '#domain/maps/mercator.ts'
import { type MapPoint, POINT_WORDS, putPoint } from '#domain/maps/point-list.ts'

/** Over Oklahoma. */
const tile = { z: 6, x: 14, y: 25 }
const HOUR_MS = 3_600_000

const listOf = <T>(count: number, make: (nth: number) => T) => Array.from({ length: count }, (_, nth) => make(nth))

/** A place in the tile. */
function placeOf(nth: number): { x: number; y: number } {
  return worldPoint(33 + (nth % 61) * 0.05, -101 + (nth % 97) * 0.05) as { x: number; y: number }
}

const tornado = (nth: number): MapPoint => ({
  id: nth + 1,
  ...placeOf(nth),
  type: 'tornado',
  severity: 'severe',
  day: 9000 + nth,
  value: 2,
  source: 'noaa_storm_events',
  evidence_kind: 'ground',
})

function pointsOf(count: number): TileContent['points'] {
  const points = new Uint32Array(count * POINT_WORDS)
  for (let nth = 0; nth < count; nth++) putPoint(points, nth * POINT_WORDS, { ...tornado(nth), id: 100_000 + nth, type: 'hail' })
  return points
}

const pathsOf = (count: number) =>
  listOf(count, (nth) => ({ ...tornado(nth), end_x: placeOf(nth).x + 40_000, end_y: placeOf(nth).y - 40_000 }))

/** Steps along the grid, as radar's outlines have them. */
const areasOf = (count: number): TileContent['areas'] =>
  listOf(count, (nth) => ({
    day: new Date(Date.UTC(2020, 0, 1 + nth)).toISOString().slice(0, 10),
    source: 'noaa_mesh',
    band: 9,
    rings: [listOf(40, (corner) => ({ x: nth + 90 * Math.ceil(corner / 2), y: 90 * Math.floor(corner / 2) }))],
  }))

function warningsOf(count: number): TileContent['warnings'] {
  const at = (nth: number, hours: number) => new Date(Date.UTC(2026, 4, 28) - nth * HOUR_MS * 7 + hours * HOUR_MS)
  return listOf(count, (nth) => {
    const [west, south] = [-101 + (nth % 97) * 0.05, 33 + (nth % 61) * 0.05]
    const corners = listOf(20, (corner) => [
      west + 0.3 * Math.cos((corner / 20) * 2 * Math.PI),
      south + 0.2 * Math.sin((corner / 20) * 2 * Math.PI),
    ])
    return {
      warning_id: nth + 1,
      event: 'Severe Thunderstorm Warning',
      phenomenon: 'SV',
      severity: 'severe',
      ...{ issued: at(nth, 0), expires: at(nth, 3), from: at(nth, 1), until: at(nth, 2) },
      threats: { max_hail_in: 1.75 } as TileContent['warnings'][number]['threats'],
      geometry: { type: 'Polygon', coordinates: [[...corners, corners[0] as number[]]] },
    }
  })
}

/** The ids in each layer, the one drawn last at the end. */
function idsByLayer(bytes: Buffer): Record<string, number[]> {
  const { layers } = new VectorTile(new PbfReader(bytes))
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [name, listOf(layer.length, (nth) => Number(layer.feature(nth).properties.id))]),
  )
}

describe('a tile with more than it may have', () => {
  const full = { points: 20_000, paths: 4000, areas: 4000, warnings: 1100, widths: 800 }
  const content = (counts: Partial<typeof full>): TileContent => ({
    points: pointsOf(counts.points ?? 0),
    paths: pathsOf(counts.paths ?? 0),
    areas: areasOf(counts.areas ?? 0),
    warnings: warningsOf(counts.warnings ?? 0),
    widths: pathsOf(counts.widths ?? 0).map((path) => ({ ...path, width_yd: 900 })),
  })

  it.each<[string, Partial<typeof full>]>([
    ['in every layer', full],
    ['beneath its points', { ...full, points: 10 }],
    ['but no points', { ...full, points: 0 }],
    ['in points alone', { points: full.points }],
    ['in paths alone', { paths: 12_000 }],
    ['in radar alone', { areas: full.areas }],
    ['in warnings alone', { warnings: full.warnings }],
    ['in widths alone', { widths: 6000 }],
  ])('%s stays below 500 kB, and has the first of each', (_, counts) => {
    const given = content(counts)
    const bytes = drawTile(tile, given)
    expect(bytes.length).toBeLessThanOrEqual(TILE_BYTES_MAX)
    const shown = idsByLayer(bytes)
    const firsts = { hail: 100_000, tornado_paths: 1, warnings: 1, tornado_widths: 1 }
    const layerOf = { points: 'hail', paths: 'tornado_paths', warnings: 'warnings', widths: 'tornado_widths', areas: 'radar_hail' } as const
    for (const [kind, layer] of Object.entries(layerOf) as [keyof typeof layerOf, (typeof layerOf)[keyof typeof layerOf]][]) {
      const ids = shown[layer] ?? []
      if (!counts[kind]) expect(ids).toEqual([])
      else if (layer === 'radar_hail') expect(ids).toContain(202_001_019)
      else expect(ids.at(-1)).toBe(firsts[layer])
    }
  })

  it('keeps every record of a tile that has room for all', () => {
    const counts = { points: 1000, paths: 1000, areas: 400, warnings: 300, widths: 100 }
    const shown = idsByLayer(drawTile(tile, content(counts)))
    expect(Object.fromEntries(Object.entries(shown).map(([name, ids]) => [name, ids.length]))).toEqual({
      radar_hail: 400,
      warnings: 300,
      tornado_widths: 100,
      tornado_paths: 1000,
      hail: 1000,
    })
  })
})
