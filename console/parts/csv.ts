/**
 * Returns rows as CSV (RFC 4180) with a heading. A cell that a spreadsheet would run as a formula gets a leading apostrophe, so that it
 * stays text.
 */
export function csvOf(heading: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [heading, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/** The characters with which a spreadsheet starts a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Removes the apostrophe from a cell that was guarded in this way. */
export const unguard = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
