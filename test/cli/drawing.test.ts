import type { Key } from 'ink'
import { describe, expect, test } from 'vitest'
import { pressesOf } from '../../cli/screens/keys.ts'
import { boxAround, mapOf, pin, runsOf } from '../../cli/screens/map.ts'
import { lookOf } from '../../cli/screens/terminal.ts'
import { cardOf, fit, shown, sparkline, wrap } from '../../cli/screens/text.ts'
import { beginning, choose, moved } from '../../cli/screens/view.ts'

const look = lookOf({ LANG: 'en_US.UTF-8' })
const ascii = lookOf({ LANG: 'en_US.UTF-8', LC_ALL: 'C' })

describe('text on the screens', () => {
  test('is as wide as its room, also where characters are wide', () => {
    expect(fit('hail', 6, look)).toBe('hail  ')
    expect(fit('hailstones', 6, look)).toBe('hails…')
    expect(fit('漢字漢字', 6, look)).toBe('漢字… ')
    expect(fit('x', 0, look)).toBe('')
  })

  test('loses what a terminal acts on, and where the locale says so what is not ASCII', () => {
    expect(shown('Piñon\u001b[2J – 1.75″ 漢', look)).toBe('Piñon[2J – 1.75″ 漢')
    expect(shown('Piñon\u001b[2J – 1.75″ 漢', ascii)).toBe('Pinon[2J - 1.75" ?')
  })

  test('is broken between words, or within one that is too long, and always comes to an end', () => {
    expect(wrap({ text: 'hail of two inches' }, 9).map(({ text }) => text)).toEqual(['hail of', '  two', '  inches'])
    expect(wrap({ text: 'abcdefghij' }, 4).map(({ text }) => text)).toEqual(['abcd', '  ef', '  gh', '  ij'])
    for (const width of [1, 2, 3]) expect(wrap({ text: 'a b cc ddd eeee' }, width).length).toBeLessThan(40)
  })

  test('stands in cards whose edges meet', () => {
    for (const width of [20, 33, 60])
      expect(
        new Set(cardOf('Thunderstorm: hail, wind', 'medium', ['12 records on 5 days'], width, look).map(({ text }) => text.length)),
      ).toEqual(new Set([width]))
  })

  test('has a bar a year, a blank where there is nothing', () => {
    expect(sparkline([0, 1, 4, 8], '▁▂▃▄▅▆▇█')).toBe(' ▁▄█')
    expect(sparkline([0, 0], '.#')).toBe('  ')
  })
})

describe('the map', () => {
  const place = { latitude: 0, longitude: 0 }

  test('has a dot where hail was, in the colour and mark of its band, north up', () => {
    const box = boxAround(place, 0.04, 4, 2)
    const cells = [{ latitude: 0.035, longitude: -0.035, mesh_in: 1.8 }]
    const map = mapOf(cells, box, 4, 2, true)
    expect(map.map((line) => line.map(({ text }) => text).join(''))).toEqual(['⠁   ', '    '])
    expect(map[0]?.[0]?.colour).toBe('red')
    expect(mapOf(cells, box, 4, 2, false)[0]?.[0]?.text).toBe('#')
  })

  test('shows what lies within it and nothing else, places above hail', () => {
    const box = boxAround(place, 0.04, 4, 2)
    const map = mapOf([{ latitude: 1, longitude: 0, mesh_in: 3 }], box, 4, 2, true)
    pin(map, box, [place, { latitude: 2, longitude: 2 }], 'O')
    expect(map.flatMap((line) => line.map(({ text }) => text)).filter((text) => text !== ' ')).toEqual(['O'])
    expect(runsOf(map[0] ?? []).map(({ text }) => text)).toEqual(['    '])
  })
})

describe('keys', () => {
  const key = (flags: Partial<Key> = {}) => flags as Key

  test('that come together are distinguished, and those held down counted', () => {
    expect(pressesOf('jjjk\rq', key())).toEqual([
      { key: 'j', times: 3 },
      { key: 'k', times: 1 },
      { key: 'enter', times: 1 },
      { key: 'q', times: 1 },
    ])
    expect(pressesOf('', key({ pageDown: true }))).toEqual([{ key: 'pagedown', times: 1 }])
    expect(pressesOf('c', key({ ctrl: true }))).toEqual([{ key: 'interrupt', times: 1 }])
    expect(pressesOf('x', key({ ctrl: true }))).toEqual([])
  })

  test('move within what there is', () => {
    const extent = { total: 10_000, visible: 20, lines: 30, height: 20 }
    const reached = (pressed: string, times = 1, view = beginning) => moved(view, { key: pressed, times }, extent)
    expect(reached('j', 3)?.cursor).toBe(3)
    expect(reached('k')?.cursor).toBe(0)
    expect(reached('pagedown', 2)?.cursor).toBe(40)
    expect(reached('G')?.cursor).toBe(9999)
    expect(reached('g', 1, { ...beginning, cursor: 77 })?.cursor).toBe(0)
    expect(reached('x')).toBeNull()
    expect(moved(beginning, { key: 'j', times: 1 }, { ...extent, total: 0 })?.cursor).toBe(0)
    const inside = { ...beginning, inside: true, opened: { row: { id: 1 }, layout: () => [] } }
    expect(reached('G', 1, inside)).toMatchObject({ cursor: 0, scrolled: 10 })
    expect(reached('escape', 1, inside)).toMatchObject({ opened: null, inside: false })
  })

  test('choose rows and let them go', () => {
    const rows = [{ id: 1 }, { id: 2 }]
    const both = choose(beginning, rows, 10)
    expect([[...both.chosen.keys()], both.cursor]).toEqual([[1, 2], 2])
    expect([...choose(both, [{ id: 2 }, null], 10).chosen.keys()]).toEqual([1])
  })
})
