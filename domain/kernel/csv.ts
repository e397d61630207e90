/** What stands in a cell. A list is written as JSON. */
export type Cell = string | number | boolean | null | readonly (string | number)[]

/** One record of RFC 4180, with its line end. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * A text that a spreadsheet would run as a formula is preceded by an apostrophe; a number, negative or not, stays a number. Null is
 * an empty cell, and an empty text two quotes. A record's first cell is never null: it is the row's id.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  if (typeof cell === 'object') return quoted(JSON.stringify(cell))
  if (cell === '') return '""'
  return quoted(FORMULA.test(cell) ? `'${cell}` : cell)
}

/** What would part cells elsewhere, semicolons and tabs, is quoted too. */
const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * The same cell of a text in SQL, without a place of its own in the record: PostgreSQL writes a page of records in the time that they take to be read.
 * @param text an expression, which stands here several times
 */
export function csvCellSql(text: string): string {
  return `CASE WHEN ${text} = '' THEN '""' WHEN ${text} ~ '${formulaInSql()}' THEN ${quotedSql(`('''' || ${text})`)} ELSE ${quotedSql(text)} END`
}

const quotedSql = (text: string) => `CASE WHEN ${text} ~ '[",;\\t\\r\\n]' THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`

/** With which a formula begins, in full width too, behind white space and marks that nobody sees; and a tab or a line end by itself. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

let inSql: string | undefined

/** FORMULA for PostgreSQL, which knows no classes of Unicode: they are written out, once. */
function formulaInSql(): string {
  inSql ??= String.raw`^(?:[\t\r\n]|[${rangesOf(/[\s\p{Cf}]/u)}]*[=+\-@\uff1d\uff0b\uff0d\uff20])`
  return inSql
}

const LAST_CODE_POINT = 0x10ffff

/** Every character that matches, as what stands between the brackets of an expression of PostgreSQL. */
function rangesOf(matching: RegExp): string {
  const escaped = (code: number) => String.raw`\U${code.toString(16).padStart(8, '0')}`
  let ranges = ''
  for (let code = 0, first: number | null = null; code <= LAST_CODE_POINT + 1; code++) {
    const matches = code <= LAST_CODE_POINT && matching.test(String.fromCodePoint(code))
    if (matches) first ??= code
    if (matches || first === null) continue
    ranges += `${escaped(first)}-${escaped(code - 1)}`
    first = null
  }
  return ranges
}
