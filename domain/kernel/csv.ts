/** The value of a cell. A list is written as JSON. */
export type Cell = string | number | boolean | null | readonly (string | number)[]

/** Returns one record of RFC 4180, with its line end. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers, negative ones too, stay numbers. Null becomes an
 * empty cell, and an empty text two quotes. A record's first cell is never null: it is the row's id.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  if (typeof cell === 'object') return quoted(JSON.stringify(cell))
  if (cell === '') return '""'
  return quoted(FORMULA.test(cell) ? `'${cell}` : cell)
}

/** Semicolons and tabs are quoted too: some programs split cells at them. */
const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Returns the SQL expression that writes a text as such a cell, without its separator: PostgreSQL writes a page of records in the time
 * that it takes to read them.
 * @param text an SQL expression; it is repeated several times in the result
 */
export function csvCellSql(text: string): string {
  return `CASE WHEN ${text} = '' THEN '""' WHEN ${text} ~ '${formulaInSql()}' THEN ${quotedSql(`('''' || ${text})`)} ELSE ${quotedSql(text)} END`
}

const quotedSql = (text: string) => `CASE WHEN ${text} ~ '[",;\\t\\r\\n]' THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`

/** The start of a formula, full-width forms included, after white space and invisible characters; or a leading tab or line end. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

let inSql: string | undefined

/** FORMULA for PostgreSQL, which has no Unicode classes: they are written out as ranges, once. */
function formulaInSql(): string {
  inSql ??= String.raw`^(?:[\t\r\n]|[${rangesOf(/[\s\p{Cf}]/u)}]*[=+\-@\uff1d\uff0b\uff0d\uff20])`
  return inSql
}

const LAST_CODE_POINT = 0x10ffff

/** Every character that matches, as ranges for a bracket expression of PostgreSQL. */
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

/**
 * Returns the message for a header that names a column more than once, since either could be the one that is meant; null for any other.
 * @param names the columns that matter: those that are read, or that have a name
 */
export function repeatedColumn(names: readonly string[]): string | null {
  const repeated = names.find((name, place) => names.indexOf(name) !== place)
  return repeated === undefined ? null : `The file has the column ${repeated} twice.`
}
