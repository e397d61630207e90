/**
 * Returns rows as CSV (RFC 4180) with a heading. A cell that a spreadsheet would run as a formula gets a leading apostrophe, so that it
 * stays text.
 */
export function csvOf(heading: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [heading, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/**
 * What a spreadsheet starts a formula with, also in full width, after white space and invisible marks: the same as in the files of the
 * service.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

/** Removes the apostrophe from a cell that was guarded in this way. */
export const unguard = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  // Some programs split cells at semicolons and tabs, too.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
