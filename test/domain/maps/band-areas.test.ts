import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BandArea, bandAreas, type Ring } from '#domain/maps/band-areas.ts'
import { boxOf, EXTENT, type TileAddress, WORLD_BITS, worldX, worldY } from '#domain/maps/mercator.ts'
import { cellSideAt, type RadarDay } from '#domain/maps/radar-cells.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'

/** At zoom 9, a cell of 0.01 degrees is drawn as it is, about 58 units wide. */
const tile: TileAddress = { z: 9, x: 117, y: 201 }
const { west, north } = boxOf(tile)
const column = Math.ceil((west + 130) / 0.01) + 2
const row = Math.ceil((55 - north) / 0.01) + 2
const LIMIT = 20

interface Cell {
  down: number
  right: number
  /** Tenths of a millimetre. */
  size: number
}

const dayOf = (cells: Cell[], overrides: Partial<RadarDay> = {}): RadarDay => ({
  day: '2026-05-20',
  source: 'noaa_mesh',
  parts: [Uint16Array.from(cells.flatMap(({ down, right, size }) => [row + down, column + right, size]))],
  ...overrides,
})
async function* each(days: RadarDay[]) {
  yield* days
}
const drawn = (...days: RadarDay[]) => bandAreas(each(days), tile)

/** The middle of a cell in units of the tile. */
function middleOf(down: number, right: number, of = tile) {
  const scale = (2 ** of.z * EXTENT) / 2 ** WORLD_BITS
  const longitude = -130 + (column + right + 0.5) * 0.01
  const latitude = 55 - (row + down + 0.5) * 0.01
  return { x: worldX(longitude) * scale - of.x * EXTENT, y: worldY(latitude) * scale - of.y * EXTENT }
}
const inRing = ({ x, y }: Ring, ring: Ring[]) =>
  ring.slice(1).reduce((inside, end, index) => {
    const begin = ring[index] as Ring
    return begin.y > y !== end.y > y && x < begin.x + ((y - begin.y) / (end.y - begin.y)) * (end.x - begin.x) ? !inside : inside
  }, false)
const holds = ({ rings }: BandArea, point: Ring) => rings.filter((ring) => inRing(point, ring)).length % 2 === 1
const areaOf = (ring: Ring[]) =>
  ring.slice(1).reduce((sum, end, index) => sum + ((ring[index] as Ring).x * end.y - end.x * (ring[index] as Ring).y) / 2, 0)

describe('the bands of radar in a tile', () => {
  const sizes = [0, 100, 127, 191, 254, 381, 508, 699]

  it('contain the middle of every cell in its own band and no other cell', async () => {
    const cells = fc.uniqueArray(
      fc.record({ down: fc.integer({ min: 0, max: 5 }), right: fc.integer({ min: 0, max: 5 }), size: fc.constantFrom(...sizes) }),
      { selector: ({ down, right }) => `${down} ${right}`, maxLength: 36 },
    )
    await fc.assert(
      fc.asyncProperty(cells, async (all) => {
        const areas = await drawn(dayOf(all))
        for (let down = -1; down <= 6; down++)
          for (let right = -1; right <= 6; right++) {
            const cell = all.find((one) => one.down === down && one.right === right)
            const expected = cell ? [radarBands.findLastIndex(({ from_in }) => cell.size >= Math.round(from_in * 254))] : []
            expect([down, right, areas.filter((area) => holds(area, middleOf(down, right))).map(({ band }) => band)]).toEqual([
              down,
              right,
              expected,
            ])
          }
        for (const { rings } of areas)
          for (const ring of rings) {
            expect(ring.at(-1)).toEqual(ring[0])
            // Every corner is a turn.
            for (let at = 1; at + 1 < ring.length; at++) {
              const [before, here, after] = ring.slice(at - 1, at + 2) as [Ring, Ring, Ring]
              expect((before.x === here.x) === (here.x === after.x)).toBe(false)
            }
          }
      }),
      { numRuns: 60 },
    )
  })

  it('begin at the usual sizes, to a tenth of a millimetre', async () => {
    const bandOf = async (size: number) => (await drawn(dayOf([{ down: 0, right: 0, size }])))[0]?.band
    expect(radarBands.map(({ from_in }) => from_in)).toEqual([0, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 2.75])
    for (const [band, { from_in: inches }] of radarBands.entries()) {
      const least = Math.round(inches * 254)
      expect(await bandOf(least)).toBe(band)
      if (least > 0) expect(await bandOf(least - 1)).toBe(band - 1)
    }
  })

  it('run clockwise around cells and counterclockwise around holes, with the outer ring first', async () => {
    const ring = [0, 1, 2]
      .flatMap((down) => [0, 1, 2].map((right) => ({ down, right, size: 300 })))
      .filter(({ down, right }) => down !== 1 || right !== 1)
    const [area] = await drawn(dayOf(ring))
    expect(area?.rings).toHaveLength(2)
    const [outer, hole] = (area as BandArea).rings as [Ring[], Ring[]]
    expect(areaOf(outer)).toBeGreaterThan(0)
    expect(areaOf(hole)).toBeLessThan(0)
    expect(areaOf(outer)).toBeGreaterThan(-areaOf(hole))
  })

  it('separate cells that touch only at a corner', async () => {
    const [area] = await drawn(
      dayOf([
        { down: 0, right: 0, size: 300 },
        { down: 1, right: 1, size: 300 },
      ]),
    )
    expect(area?.rings.map((ring) => ring.length)).toEqual([5, 5])
  })

  it('use the largest value of each cell if a day has several parts', async () => {
    const parts = [300, 600, 400].flatMap((size) => dayOf([{ down: 0, right: 0, size }]).parts)
    expect((await drawn(dayOf([], { parts }))).map(({ band }) => band)).toEqual([7])
  })

  it('are ordered by size, then newest first', async () => {
    const cells = (size: number) => [{ down: 0, right: 0, size }]
    const areas = await drawn(
      dayOf(cells(300), { day: '2026-05-22' }),
      dayOf(cells(600), { day: '2026-05-20' }),
      dayOf(cells(300), { day: '2026-05-23', source: 'sample' }),
    )
    expect(areas.map(({ day, band, source }) => [day, band, source])).toEqual([
      ['2026-05-20', 7, 'noaa_mesh'],
      ['2026-05-23', 3, 'sample'],
      ['2026-05-22', 3, 'noaa_mesh'],
    ])
  })

  it('use at most 200,000 bytes of a tile, counting four per corner and forty per area', async () => {
    const cells = [...Array(LIMIT).keys()].flatMap((down) =>
      [...Array(LIMIT).keys()].map((right) => ({ down: down * 2, right: right * 2, size: 300 })),
    )
    const days = Array.from({ length: 60 }, (_, nth) => dayOf(cells, { day: `2026-04-${String(60 - nth).padStart(2, '0')}` }))
    const areas = await drawn(...days)
    const each_day = 40 + LIMIT * LIMIT * 5 * 4
    expect(areas).toHaveLength(Math.floor(200_000 / each_day))
    expect(areas.map(({ day }) => day)).toEqual(days.slice(0, areas.length).map(({ day }) => day))
    // A larger band always has room because it comes first.
    const late = dayOf([{ down: 0, right: 0, size: 700 }], { day: '2020-01-01' })
    expect((await drawn(...days, late))[0]).toMatchObject({ day: '2020-01-01', band: 9 })
  })

  it('use larger cells at lower zooms, each with its largest value', async () => {
    expect([10, 8, 7, 6, 4].map(cellSideAt)).toEqual([1, 1, 2, 4, 16])
    const far = { z: 6, x: tile.x >> 3, y: tile.y >> 3 }
    // Rows and columns divisible by four: the first of a drawn cell.
    const [down, right] = [(4 - (row % 4)) % 4, (4 - (column % 4)) % 4]
    const drawnFar = (...cells: Cell[]) => bandAreas(each([dayOf(cells)]), far)
    const [area, ...others] = await drawnFar({ down, right, size: 300 }, { down: down + 3, right: right + 3, size: 600 })
    expect([area?.band, others]).toEqual([7, []])
    const corners = area?.rings.flat() ?? []
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
    const [first, last] = [middleOf(down, right, far), middleOf(down + 3, right + 3, far)]
    // Half a cell of 0.01 degrees is 3.6 units here from west to east, and more from north to south.
    expect(Math.min(...xs)).toBeCloseTo(first.x - 3.64, -0.5)
    expect(Math.max(...xs)).toBeCloseTo(last.x + 3.64, -0.5)
    expect(Math.min(...ys) < first.y && Math.min(...ys) > first.y - 7).toBe(true)
    expect(Math.max(...ys) > last.y && Math.max(...ys) < last.y + 7).toBe(true)
    expect(await drawnFar({ down, right, size: 300 }, { down: down + 4, right: right + 5, size: 600 })).toHaveLength(2)
  })

  it('that cross the whole tile are one area, cut at the edges', async () => {
    // A tile is about seventy cells wide. These extend beyond it on every side.
    const across = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
    const horizontal = [4, 5, 6].flatMap((down) => across(-60, 140).map((right) => ({ down, right, size: 300 })))
    const [horizontalArea, ...others] = await drawn(dayOf(horizontal))
    expect([horizontalArea?.rings.map((ring) => ring.length), others]).toEqual([[5], []])
    expect([...new Set(horizontalArea?.rings.flat().map(({ x }) => x))].sort((one, other) => one - other)).toEqual([-64, EXTENT + 64])
    const vertical = [4, 5, 6].flatMap((right) => across(-60, 140).map((down) => ({ down, right, size: 300 })))
    const [verticalArea] = await drawn(dayOf(vertical))
    expect(verticalArea?.rings.map((ring) => ring.length)).toEqual([5])
    expect([...new Set(verticalArea?.rings.flat().map(({ y }) => y))].sort((one, other) => one - other)).toEqual([-64, EXTENT + 64])
  })

  it('depend only on the cells in the tile', async () => {
    const within = [0, 1, 2].flatMap((down) => [0, 1].map((right) => ({ down, right, size: 300 })))
    const around = [-300, 0, 300].flatMap((down) => [-300, 0, 300].map((right) => ({ down, right, size: 600 })))
    const beyond = around.filter(({ down, right }) => down !== 0 || right !== 0)
    expect(await drawn(dayOf([...within, ...beyond]))).toEqual(await drawn(dayOf(within)))
  })

  it('are empty for a tile outside the grid, and have no corner beyond the margin', async () => {
    expect(await bandAreas(each([dayOf([{ down: 0, right: 0, size: 300 }])]), { z: 9, x: 300, y: 201 })).toEqual([])
    const zoomed = {
      z: 14,
      x: Math.floor((worldX(-130 + (column + 0.5) * 0.01) / 2 ** WORLD_BITS) * 2 ** 14),
      y: Math.floor((worldY(55 - (row + 0.5) * 0.01) / 2 ** WORLD_BITS) * 2 ** 14),
    }
    const [area] = await bandAreas(each([dayOf([{ down: 0, right: 0, size: 300 }])]), zoomed)
    const corners = area?.rings.flat() ?? []
    expect(corners.length).toBeGreaterThan(0)
    for (const { x, y } of corners) expect(Math.min(x, y) >= -64 && Math.max(x, y) <= EXTENT + 64).toBe(true)
  })
})
