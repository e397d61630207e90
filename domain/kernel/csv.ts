/** What stands in a cell. A list is written as JSON. */
export type Cell = string | number | boolean | null | readonly (string | number)[]

/** One record of RFC 4180, with its line end. */
export function csvRecord(cells: readonly Cell[]): string {
  let line = ''
  for (const cell of cells) line += line === '' ? csvCell(cell) : `,${csvCell(cell)}`
  return `${line}\r\n`
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

/** With which a formula begins, in full width too, behind white space and marks that nobody sees; and a tab or a line end by itself. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u
