import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type CsvRow, readCsv } from '#domain/archive/files/csv.ts'

const run = promisify(execFile)

async function rowsOf(text: string | Iterable<Buffer>, piece = 7): Promise<CsvRow[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : null
  async function* pieces() {
    if (!bytes) yield* text as Iterable<Buffer>
    else for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  const rows: CsvRow[] = []
  for await (const read of readCsv(pieces())) rows.push(...read)
  return rows
}

const good = async (text: string) => (await rowsOf(text)).filter(({ fault }) => fault === null).map(({ fields }) => fields.join('|'))
const bad = async (text: string) => (await rowsOf(text)).filter(({ fault }) => fault !== null).map(({ line, fault }) => `${line}: ${fault}`)

describe('rows', () => {
  it('are the same however the bytes are split', async () => {
    const text = 'A,B,C\r\n1,"two, ""quoted""",\n\n2,"line one\nline two\n\nline four",x\n3,,'
    for (const piece of [1, 2, 3, 50, 1000]) {
      expect((await rowsOf(text, piece)).map(({ line, fields }) => [line, ...fields])).toEqual([
        [1, 'A', 'B', 'C'],
        [2, '1', 'two, "quoted"', ''],
        [4, '2', 'line one\nline two\n\nline four', 'x'],
        [8, '3', '', ''],
      ])
    }
  })

  it('keep their number and place behind more empty lines than a row may have, which are not kept', async () => {
    const empty = 5000
    const text = `A,B\n${'\n'.repeat(empty)}1,2\n${'\r\n'.repeat(empty)}3,4`
    for (const piece of [7, 4096]) {
      expect((await rowsOf(text, piece)).map(({ line, span, fields }) => [line, span.start, ...fields])).toEqual([
        [1, 0, 'A', 'B'],
        [2 + empty, 4 + empty, '1', '2'],
        [3 + 2 * empty, 8 + 3 * empty, '3', '4'],
      ])
    }
    expect(await bad(`A,B\n1,"open${'\n'.repeat(empty)}shut"\n2,x\n`)).toEqual(['2: a quote is opened and never closed'])
    expect(await good(`A,B\n1,"open${'\n'.repeat(900)}shut"\n2,x\n`)).toEqual(['A|B', `1|open${'\n'.repeat(900)}shut`, '2|x'])
  })

  it('may have a stray quote inside a quoted field, and a byte order mark at the start of the file', async () => {
    expect(await good('\u00ef\u00bb\u00bfA,B\n1,"5" hail"\n2,6" deep\n')).toEqual(['A|B', '1|5" hail', '2|6" deep'])
  })
})

it('drops zero bytes from the fields of a row, however the bytes are split', async () => {
  for (const piece of [1, 3, 1000])
    expect((await rowsOf('A,B\n1,"Tra\0ined\0"\n2,plain\n', piece)).map(({ fields }) => fields.join('|'))).toEqual([
      'A|B',
      '1|Trained',
      '2|plain',
    ])
})

it("decodes UTF-8 or windows-1252 field by field, and gives each row's byte position", async () => {
  const utf8 = (text: string) => Buffer.from(text).toString('latin1')
  const rows = [
    'A,B,C',
    utf8('1,40° C,"Cañon\nCity"'),
    '2,plain,plain',
    '3,40\u00b0 C,\u0093big\u0094',
    `4,\u00b0,${utf8('ñ�')}`,
    '5,plain,plain',
  ]
  const text = rows.join('\n')
  const spans = rows.map((row, at) => ({ start: rows.slice(0, at).join('\n').length + (at > 0 ? 1 : 0), length: row.length }))
  for (const piece of [1, 2, 3, 5, 8, 13, 1000]) {
    const read = await rowsOf(text, piece)
    expect(read.map(({ fields }) => fields.join('|'))).toEqual([
      'A|B|C',
      '1|40° C|Cañon\nCity',
      '2|plain|plain',
      '3|40° C|“big”',
      '4|°|ñ�',
      '5|plain|plain',
    ])
    expect(read.map(({ span }) => span)).toEqual(spans)
  }
})

describe('a broken row', () => {
  it('with the wrong number of fields is named by its line', async () => {
    expect(await bad('A,B\n1,2\n3\n4,5,6\n7,8\n')).toEqual(['3: 1 field where the header has 2', '4: 3 fields where the header has 2'])
  })

  it('with an unclosed quote affects only itself', async () => {
    const text = 'A,B,C\n1,"opened,x\n2,"good",y\n3,good,z\n4,"opened at the end,w'
    expect(await good(text)).toEqual(['A|B|C', '2|good|y', '3|good|z'])
    expect(await bad(text)).toEqual(['2: a quote is opened and never closed', '5: a quote is opened and never closed'])
  })

  it('of many lines is skipped as one row', async () => {
    const text = `A,B\n1,"${'and so on\n'.repeat(3000)}\n2,good\n`
    expect(await good(text)).toEqual(['A|B', '2|good'])
    expect(await bad(text)).toHaveLength(1)
  })

  it('is looked through to its end only so often in a file: one of quotes that never close is refused', async () => {
    const text = Buffer.from(`A,B,C\n${'1,"x\n'.repeat(40_000)}`)
    const pieces = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, at) => text.subarray(at * 65_536, (at + 1) * 65_536))
    await expect(rowsOf(pieces)).rejects.toMatchObject({
      details: { errors: { file: [expect.stringMatching(/^The file is damaged: too many quotes are opened and never closed/)] } },
    })
    const few = `A,B,C\n${'1,"x\n'.repeat(2_000)}2,b,c\n`
    expect((await rowsOf(few, 65_536)).at(-1)).toMatchObject({ fields: ['2', 'b', 'c'], fault: null })
  })

  it('that is longer than any row affects only itself and is not kept in memory', async () => {
    // Runs in its own process, so that nothing else uses its memory: a line of 1 GiB, in pieces as from a file, read with a heap of a
    // sixteenth of that.
    const program = `
      import { readCsv } from '#domain/archive/files/csv.ts'
      function* pieces() {
        yield Buffer.from('A,B\\n1,good\\n2,')
        const piece = Buffer.alloc(64 * 1024, 'x')
        for (let count = 0; count < 16_384; count++) yield piece
        yield Buffer.from('\\n3,good\\n')
      }
      const rows = []
      for await (const read of readCsv(pieces())) for (const { line, fault } of read) rows.push([line, fault])
      console.log(JSON.stringify({ rows, megabytes: process.resourceUsage().maxRSS / 1024 }))
    `
    const { stdout } = await run(process.execPath, ['--max-old-space-size=64', '--import=tsx', '--input-type=module', '--eval', program])
    const { rows, megabytes } = JSON.parse(stdout)
    expect(rows).toEqual([
      [1, null],
      [2, null],
      [3, 'a line is longer than 131072 characters'],
      [4, null],
    ])
    expect(megabytes).toBeLessThan(768)
  })
})
