import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sourceLabel } from '#domain/archive/sources/index.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { archiveColumns } from '#domain/exports/archive/columns.ts'
import { csvCellSql, csvRecord } from '#domain/kernel/csv.ts'
import { recordSources } from '#domain/weather/sources.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

async function cellsBySql(texts: string[]): Promise<string[]> {
  const { rows } = await world.app.pool.query(
    `SELECT ${csvCellSql('t.cell')} AS cell FROM unnest($1::text[]) WITH ORDINALITY t(cell, place) ORDER BY place`,
    [texts],
  )
  return rows.map(({ cell }) => cell)
}

const cellsByCode = (texts: string[]) => texts.map((text) => csvRecord([text]).slice(0, -2))

describe('a cell that PostgreSQL writes', () => {
  it('equals the service’s cell, for every character that may precede a formula', async () => {
    const texts: string[] = []
    // PostgreSQL text cannot contain NUL or unpaired surrogates.
    for (let code = 1; code <= 0x10ffff; code++) if (code < 0xd800 || code > 0xdfff) texts.push(`${String.fromCodePoint(code)}=1+1`)
    const [bySql, byCode] = [await cellsBySql(texts), cellsByCode(texts)]
    expect(texts.filter((_, place) => bySql[place] !== byCode[place])).toEqual([])
    expect(byCode.filter((cell) => cell.startsWith("'")).length).toBeGreaterThan(150)
  })

  it('equals the service’s cell for any text', async () => {
    const parts = fc.constantFrom(...'=+-@＝＋－＠ \t\r\n",;\'\\aé雹0'.split(''), '\u200b', '\ufeff', '\u00a0', '\u{e0020}', 'hail')
    const text = fc.oneof(
      fc.string({ unit: parts, maxLength: 8 }),
      fc.string({ unit: 'binary' }).filter((any) => !any.includes('\0')),
    )
    for (const texts of fc.sample(fc.array(text, { minLength: 500, maxLength: 500 }), 10))
      expect(await cellsBySql(texts)).toEqual(cellsByCode(texts))
    expect(await cellsBySql([''])).toEqual(['""'])
  })
})

describe('a column of the archive’s exports', () => {
  it('has the same rating as a report', async () => {
    const notes = [
      'Rated EF2 by the source.',
      'Rated F3 by the source. Filed by the source under 1993-04-05.',
      'Unrated EF2 by the source.',
      '',
    ]
    const edgeCases = [
      'Rated EFU by the source. And more.',
      'A barn\nlost its roof. Rated EFU by the source.',
      'prerated EF1 by the source.',
    ]
    const tornadoes = [...notes, ...edgeCases].flatMap((description) =>
      ['2007-01-31', '2007-02-01'].flatMap((occurred_on) =>
        [null, 0, 4].map((tornado_ef_scale) => ({ description, occurred_on, tornado_ef_scale })),
      ),
    )
    const { rows } = await world.app.pool.query(
      `SELECT ${archiveColumns.tornado_rating.sql} AS rating
         FROM jsonb_to_recordset($1) r(description text, occurred_on date, tornado_ef_scale float8, type text)`,
      [JSON.stringify(tornadoes.map((tornado) => ({ ...tornado, type: 'tornado' })))],
    )
    expect(rows.map(({ rating }) => rating)).toEqual(tornadoes.map(tornadoRating))
    expect(new Set(tornadoes.map(tornadoRating))).toEqual(new Set(['EF2', 'F3', 'EFU', 'F0', 'EF0', 'F4', 'EF4', null]))
  })

  it('has the same source label as a report', async () => {
    for (const source of recordSources) {
      for (const preliminary of [true, false]) {
        const { rows } = await world.app.pool.query(
          `SELECT ${archiveColumns.source_label.sql} AS label FROM (SELECT $1::text AS source, $2::boolean AS preliminary) r`,
          [source, preliminary],
        )
        expect(rows).toEqual([{ label: sourceLabel({ source, preliminary }) }])
      }
    }
  })
})
