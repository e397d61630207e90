/**
 * Rows as CSV (RFC 4180), with a heading. A cell that a spreadsheet would take for a formula begins with an apostrophe: what people wrote
 * is text and nothing else.
 */
export function csvOf(heading: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [heading, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A cell of a file as it was before it was guarded against being run. */
export const unguarded = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
