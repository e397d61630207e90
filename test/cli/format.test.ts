import { describe, expect, test, vi } from 'vitest'
import { plain, print } from '../../cli/format.ts'

function printed(...args: Parameters<typeof print>): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    print(...args)
    return write.mock.calls.map(([text]) => text).join('')
  } finally {
    write.mockRestore()
  }
}

describe('text from the server on a terminal', () => {
  test('loses its control characters', () => {
    expect(plain('hail\u001b[31m red \u0007bell\u009b2J \u202eturned')).toBe('hail[31m red bell2J turned')
    expect(plain('two\r\nlines\tand a tab')).toBe('two lines and a tab')
  })

  test('keeps ordinary text', () => {
    expect(plain('Piñon Cañon, Öland: 1.75″ – 漢字')).toBe('Piñon Cañon, Öland: 1.75″ – 漢字')
  })

  test('is in columns for a list, and in lines for one object', () => {
    expect(
      printed(
        [
          { name: 'a', n: 10 },
          { name: 'long\u001b', n: null },
        ],
        { output: 'table' },
      ),
    ).toBe('name  n\na     10\nlong  -\n')
    expect(printed({ id: 'x', abilities: ['a', 'b'], limits: {} }, { output: 'table' })).toBe(
      'id         x\nabilities  a, b\nlimits     {}\n',
    )
    expect(printed([], { output: 'table' })).toBe('(none)\n')
  })

  test('keeps its columns below each other where characters are two columns wide', () => {
    const rows = [
      { name: 'Roof', city: 'Frisco' },
      { name: '屋根🏠', city: 'Frisco' },
    ]
    expect(printed(rows, { output: 'table' })).toBe('name    city\nRoof    Frisco\n屋根🏠  Frisco\n')
    expect(printed({ 屋根: 'Frisco', roof: 'Moore' }, { output: 'table' })).toBe('屋根  Frisco\nroof  Moore\n')
  })

  test('is cut to the columns of the terminal, whole characters only', () => {
    const { isTTY, columns } = process.stdout
    Object.assign(process.stdout, { isTTY: true, columns: 8 })
    try {
      expect(printed([{ name: '屋根屋根屋根' }], { output: 'table' })).toBe('name\n屋根屋~\n')
      expect(printed([{ name: 'abcdef🏠' }], { output: 'table' })).toBe('name\nabcdef🏠\n')
    } finally {
      Object.assign(process.stdout, { isTTY, columns })
    }
  })

  test('has the same value as JSON, with control characters escaped', () => {
    const value = { text: 'a\u001b[2J\u009b2J\u202eb' }
    const text = printed(value, { output: 'json' })
    expect(JSON.parse(text)).toEqual(value)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('names the keys of --fields that no row has', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const said = (rows: unknown, ...fields: string[]) => {
      write.mockClear()
      printed(rows, { output: 'csv', fields })
      return write.mock.calls.join('')
    }
    const rows = [
      { id: 1, place: null },
      { id: 2, place: { city: 'Moore' } },
    ]
    // Below a null, any key may be meant.
    expect(said(rows, 'id', 'place.town')).toBe('')
    expect(said(rows.slice(1), 'plce', 'place.town')).toBe('--fields: there is no plce, place.town. Keys are id, place.\n')
    expect(said([], 'plce')).toBe('')
    write.mockRestore()
  })

  test('in CSV without rows has the columns that were asked for, or nothing', () => {
    expect(printed([], { output: 'csv', fields: ['id', 'subject.name'] })).toBe('id,subject.name\r\n')
    expect(printed([], { output: 'csv' })).toBe('')
  })

  test('in CSV runs as no formula, and has no characters that reverse or move text', () => {
    const texts = ['=1+1', '+1 405 555 0142', '-x', '@SUM(A1)', '\uff1d1+1', ' =1', '\u200b=1', '\ufeff@x', '\u061c=1', '\t=1', '\r\n=1']
    for (const text of texts) expect(printed([{ text }], { output: 'csv' }).split('\r\n')[1], text).toMatch(/^'/)
    const cell = (value: unknown) => printed([{ value }], { output: 'csv' }).split('\r\n').slice(1).join('')
    expect(cell('a;=1')).toBe('"a;=1"')
    expect(cell(-96.5)).toBe('-96.5')
    expect(cell('Main\u061c \u202eStreet\u2069\u2028end\u0085')).toBe('Main Street end')
    expect(cell(['\u202ea', '\u061cb', '\u009b2J'])).toBe('"[""a"",""b"",""2J""]"')
  })
})
