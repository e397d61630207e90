import type { Key } from 'ink'
import { describe, expect, test, vi } from 'vitest'
import { keyPressesOf } from '../../cli/screens/keys.ts'
import { boxAround, type Glyph, mapOf, pin, runsOf } from '../../cli/screens/map.ts'
import { writeNames } from '../../cli/screens/place-names.ts'
import { type Swath, swathBands, swathMap, swathMark } from '../../cli/screens/swath-map.ts'
import { lookOf } from '../../cli/screens/terminal.ts'
import { cardOf, displayable, fit, sparkline, wrap } from '../../cli/screens/text.ts'
import { choose, INITIAL_VIEW, viewAfter, viewFollowing } from '../../cli/screens/view.ts'

const look = lookOf({ LANG: 'en_US.UTF-8' })
const ascii = lookOf({ LANG: 'en_US.UTF-8', LC_ALL: 'C' })

describe('text on the screens', () => {
  test('fits its width, with wide characters too', () => {
    expect(fit('hail', 6, look)).toBe('hail  ')
    expect(fit('hailstones', 6, look)).toBe('hails…')
    expect(fit('漢字漢字', 6, look)).toBe('漢字… ')
    expect(fit('x', 0, look)).toBe('')
  })

  test('drops control characters, and characters beyond ASCII if the locale requires it', () => {
    expect(displayable('Piñon\u001b[2J – 1.75″ 漢', look)).toBe('Piñon[2J – 1.75″ 漢')
    expect(displayable('Piñon\u001b[2J – 1.75″ 漢', ascii)).toBe('Pinon[2J - 1.75" ?')
  })

  test('wraps between words, or inside one that is too long, and always terminates', () => {
    expect(wrap({ text: 'hail of two inches' }, 9).map(({ text }) => text)).toEqual(['hail of', '  two', '  inches'])
    expect(wrap({ text: 'abcdefghij' }, 4).map(({ text }) => text)).toEqual(['abcd', '  ef', '  gh', '  ij'])
    for (const width of [1, 2, 3]) expect(wrap({ text: 'a b cc ddd eeee' }, width).length).toBeLessThan(40)
  })

  test('wraps and truncates in time proportional to its length', () => {
    const text = '漢é '.repeat(20_000)
    // For each character, a segmenter copies all that it is given.
    const segmented = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    try {
      fit(text, 40, look)
      const lines = wrap({ text }, 60)
      const copied = segmented.mock.calls.map(([given]) => given.length ** 2).reduce((sum, each) => sum + each, 0)
      expect(copied).toBeLessThan(2_000 * text.length)
      expect(lines.map((line) => line.text.replaceAll(' ', '')).join('')).toBe(text.replaceAll(' ', ''))
    } finally {
      segmented.mockRestore()
    }
  })

  test('has characters whole, however long they are', () => {
    const long = `e${'\u0301'.repeat(1_000)}`
    expect(fit(`${long}${long}${long}`, 2, look)).toBe(`${long}…`)
    expect(wrap({ text: long.repeat(5) }, 3).map((line) => line.text)).toEqual([long.repeat(3), ` ${long.repeat(2)}`])
  })

  test('is in cards whose edges meet', () => {
    for (const width of [20, 33, 60])
      expect(
        new Set(cardOf('Thunderstorm: hail, wind', 'medium', ['12 records on 5 days'], width, look).map(({ text }) => text.length)),
      ).toEqual(new Set([width]))
  })

  test('has a bar for each year, and a blank for a year without a value', () => {
    expect(sparkline([0, 1, 4, 8], '▁▂▃▄▅▆▇█')).toBe(' ▁▄█')
    expect(sparkline([0, 0], '.#')).toBe('  ')
  })
})

describe('the map', () => {
  const place = { latitude: 0, longitude: 0 }

  test('has a dot for hail, in the colour and mark of its band, with north up', () => {
    const box = boxAround(place, 0.04, 4, 2)
    const cells = [{ latitude: 0.035, longitude: -0.035, mesh_in: 1.8 }]
    const map = mapOf(cells, box, 4, 2, true)
    expect(map.map((line) => line.map(({ text }) => text).join(''))).toEqual(['⠁   ', '    '])
    expect(map[0]?.[0]?.colour).toBe('red')
    expect(mapOf(cells, box, 4, 2, false)[0]?.[0]?.text).toBe('#')
  })

  test('shows only points inside it, and places above hail', () => {
    const box = boxAround(place, 0.04, 4, 2)
    const map = mapOf([{ latitude: 1, longitude: 0, mesh_in: 3 }], box, 4, 2, true)
    pin(map, box, [place, { latitude: 2, longitude: 2 }], 'O')
    expect(map.flatMap((line) => line.map(({ text }) => text)).filter((text) => text !== ' ')).toEqual(['O'])
    expect(runsOf(map[0] ?? []).map(({ text }) => text)).toEqual(['    '])
  })
})

describe('swaths', () => {
  /** 4 by 2 characters, which are 8 by 8 dots: each dot is 0.01 degrees. */
  const box = boxAround({ latitude: 0, longitude: 0 }, 0.04, 4, 2)
  const ring = (west: number, south: number, east: number, north: number): [number, number][] => [
    ...([
      [west, south],
      [east, south],
      [east, north],
    ] as [number, number][]),
    ...([
      [west, north],
      [west, south],
    ] as [number, number][]),
  ]
  const swath = (from_in: number, ...rings: [number, number][][]): Swath => ({
    geometry: { coordinates: [rings] },
    properties: { from_in, to_in: null, source: 'noaa_mesh' },
  })
  const text = (map: Glyph[][]) => map.map((line) => line.map(({ text }) => text).join(''))

  test('are hatched in the colour of their band, more densely the larger the hail', () => {
    const marks = swathBands.map((_, nth) => swathMark(nth))
    expect([marks[0], marks[7], new Set(marks).size]).toEqual(['⠁', '⣿', 8])
    const map = swathMap([swath(0.75, ring(-0.04, 0, 0, 0.04)), swath(2.75, ring(0, 0, 0.02, 0.04))], box, 4, 2, true)
    expect(text(map)).toEqual(['⠁⠁⣿ ', '    '])
    expect(map[0]?.map(({ background }) => background)).toEqual(['#ab8ddb', '#ab8ddb', '#3d1770', undefined])
    expect(text(swathMap([swath(1.5, ring(-9, -9, 9, 9))], box, 4, 2, false))).toEqual(['====', '===='])
  })

  test('leave their holes empty, and show the largest hail where they meet', () => {
    const around = swath(0.75, ring(-0.04, -0.04, 0.04, 0.04), ring(-0.02, -0.04, 0.02, 0.04))
    expect(text(swathMap([around], box, 4, 2, true))).toEqual(['⠁  ⠁', '⠁  ⠁'])
    const both = [swath(2, ring(-0.04, 0, -0.03, 0.04)), swath(1, ring(-0.03, 0, -0.02, 0.04))]
    expect(swathMap(both, box, 4, 2, false)[0]?.[0]?.text).toBe('*')
  })

  test('are visible even if they are smaller than a dot, without colouring a whole character, and never beyond the map', () => {
    const map = swathMap([swath(1, ring(0.001, 0.001, 0.002, 0.002)), swath(2, ring(1, 1, 2, 2))], box, 4, 2, true)
    expect(text(map)).toEqual(['  ⠁ ', '    '])
    expect(map[0]?.[2]?.background).toBeUndefined()
  })
})

describe('names of towns', () => {
  const box = boxAround({ latitude: 0, longitude: 0 }, 0.4, 20, 5)
  const at = (column: number, row: number) => ({
    longitude: box.west + ((column + 0.5) / 20) * (box.east - box.west),
    latitude: box.north - ((row + 0.5) / 5) * (box.north - box.south),
  })
  const town = (name: string, column: number, row: number, zips = 1, minZoom = 0) => ({ name, ...at(column, row), zips, minZoom })
  const written = (towns: Parameters<typeof writeNames>[2], kept: Parameters<typeof writeNames>[3] = [], marks = look) => {
    const map = Array.from({ length: 5 }, () =>
      Array.from({ length: 20 }, (): Glyph => ({ text: ' ', colour: undefined, background: '#ab8ddb' })),
    )
    writeNames(map, box, towns, kept, marks)
    expect(new Set(map.flat().map(({ background }) => background))).toEqual(new Set(['#ab8ddb']))
    return map.map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
  }

  test('are next to their dots, on the other side at the edge of the map, and in ASCII if required', () => {
    expect(written([town('Frisco', 2, 0), town('Plano', 18, 1), town('Piñon', 0, 2), town('Beyond', 30, 3)])).toEqual([
      ...['  •Frisco', '             Plano•', '•Piñon', '', ''],
    ])
    expect(written([town('Piñon', 0, 2)], [], ascii)[2]).toBe('oPinon')
  })

  test('are one cell apart, also from a name before them', () => {
    const [line] = written([town('Frisco', 0, 0, 9), town('Plano', 12, 0), town('Allen', 14, 0, 8)])
    expect(line).toBe('•Frisco       •Allen')
    expect(written([town('Frisco', 0, 0, 9), town('Plano', 13, 0), town('Ada', 15, 0, 8)])[0]).toBe('•Frisco Plano• •Ada')
  })

  test('give way to larger towns and to marks of places, and appear only when zoomed in enough', () => {
    expect(written([town('Small', 4, 1), town('Large', 2, 1, 9), town('Other', 2, 3), town('Late', 2, 4, 1, 22)], [at(5, 3)])).toEqual([
      ...['', '  •Large', '', '', ''],
    ])
  })
})

describe('keys', () => {
  const key = (flags: Partial<Key> = {}) => flags as Key

  test('that arrive together are separated, and keys held down are counted', () => {
    expect(keyPressesOf('jjjk\rq', key())).toEqual([
      { key: 'j', times: 3 },
      { key: 'k', times: 1 },
      { key: 'enter', times: 1 },
      { key: 'q', times: 1 },
    ])
    expect(keyPressesOf('', key({ pageDown: true }))).toEqual([{ key: 'pagedown', times: 1 }])
    expect(keyPressesOf('c', key({ ctrl: true }))).toEqual([{ key: 'interrupt', times: 1 }])
    expect(keyPressesOf('x', key({ ctrl: true }))).toEqual([])
  })

  test('move within the bounds', () => {
    const extent = { total: 10_000, visible: 20, lines: 30, height: 20 }
    const reached = (pressed: string, times = 1, view = INITIAL_VIEW) => viewAfter(view, { key: pressed, times }, extent)
    expect(reached('j', 3)?.cursor).toBe(3)
    expect(reached('k')?.cursor).toBe(0)
    expect(reached('pagedown', 2)?.cursor).toBe(40)
    expect(reached('G')?.cursor).toBe(9999)
    expect(reached('g', 1, { ...INITIAL_VIEW, cursor: 77 })?.cursor).toBe(0)
    expect(reached('x')).toBeNull()
    expect(viewAfter(INITIAL_VIEW, { key: 'j', times: 1 }, { ...extent, total: 0 })?.cursor).toBe(0)
    const inside = { ...INITIAL_VIEW, inside: true, opened: { row: { id: 1 }, layout: () => [] } }
    expect(reached('G', 1, inside)).toMatchObject({ cursor: 0, scrolled: 10 })
    expect(reached('escape', 1, inside)).toMatchObject({ opened: null, inside: false })
  })

  test('leave the cursor at its row when others come or go, and in a list that became shorter', () => {
    const listOf = (...ids: number[]) => ({
      total: () => ids.length,
      at: (index: number) => (ids[index] === undefined ? null : { id: ids[index] }),
      indexOf: (id: string | number) => ids.indexOf(Number(id)),
    })
    const view = { ...INITIAL_VIEW, cursor: 3, id: 4 }
    expect(viewFollowing(view, listOf(1, 2, 3, 4))).toBe(view)
    expect(viewFollowing(view, listOf(9, 1, 2, 3, 4))).toMatchObject({ cursor: 4, id: 4 })
    expect(viewFollowing(view, listOf(3, 4))).toMatchObject({ cursor: 1, id: 4 })
    expect(viewFollowing(view, listOf(1, 2, 3, 5))).toMatchObject({ cursor: 3, id: 5 })
    expect(viewFollowing(view, listOf(1, 2))).toMatchObject({ cursor: 1 })
    expect(viewFollowing(view, listOf())).toMatchObject({ cursor: 0 })
    const unread = { ...listOf(), total: () => null }
    expect(viewFollowing(view, unread)).toBe(view)
  })

  test('select rows and deselect them', () => {
    const rows = [{ id: 1 }, { id: 2 }]
    const both = choose(INITIAL_VIEW, rows, 10)
    expect([[...both.chosen.keys()], both.cursor]).toEqual([[1, 2], 2])
    expect([...choose(both, [{ id: 2 }, null], 10).chosen.keys()]).toEqual([1])
  })
})
