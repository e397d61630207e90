export const formats = ['table', 'json', 'ndjson', 'csv'] as const

export interface Output {
  output: (typeof formats)[number]
  /** Keys to print, dots between nested ones; all of them where none are named. */
  fields?: readonly string[] | null
}

/**
 * Prints an answer to standard output: as JSON just what the server answered, as a table what `shown` picks of it.
 * A list is a table of its rows, a single object a table of its keys; ndjson and csv are of whole rows.
 */
export function print(answer: unknown, { output, fields }: Output, shown: unknown = dataOf(answer)): void {
  const picked = (value: unknown) => (fields ? each(value, (row) => pick(row, fields)) : value)
  if (output === 'json') process.stdout.write(jsonOf(fields ? picked(dataOf(answer)) : answer))
  else if (output === 'ndjson')
    process.stdout.write(
      rowsIn(picked(dataOf(answer)))
        .map(lineOf)
        .join(''),
    )
  else if (output === 'csv') process.stdout.write(csvOf(rowsIn(picked(dataOf(answer)))))
  else process.stdout.write(tableOf(fields ? picked(dataOf(answer)) : shown))
}

/** What an envelope holds; the answer itself where there is none. */
export function dataOf(answer: unknown): unknown {
  return answer !== null && typeof answer === 'object' && 'data' in answer ? answer.data : answer
}

/** One line of JSON, as safe to look at as the rest. */
export function lineOf(value: unknown): string {
  return `${JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped)}\n`
}

const rowsIn = (value: unknown) => (Array.isArray(value) ? value : [value])
const each = (value: unknown, of: (row: unknown) => unknown) => (Array.isArray(value) ? value.map(of) : of(value))
const pick = (row: unknown, fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, at(row, field)]))

/** The value that stands at dotted keys; null where there is none. */
export function at(row: unknown, field: string): unknown {
  const found = field
    .split('.')
    .reduce<unknown>((value, key) => (value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : null), row)
  return found ?? null
}

/** RFC 4180. Nested objects become columns with dotted names; lists stay JSON in their cell. */
function csvOf(rows: readonly unknown[]): string {
  const flat = rows.map((row) => flatten(row))
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  return [columns, ...flat.map((row) => columns.map((column) => row[column]))].map(csvRow).join('')
}

/** One line of CSV. */
export function csvRow(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function flatten(value: unknown, before = ''): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return before ? { [before]: value } : { value }
  const entries = Object.entries(value).map(([key, member]) => flatten(member, before ? `${before}.${key}` : key))
  return Object.assign({}, ...entries)
}

/**
 * A text that a spreadsheet would run as a formula is preceded by an apostrophe; a number, negative or not, is left as it is. What would
 * begin another cell where semicolons or tabs part them is quoted, too.
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Signs with which a formula begins, in their full width too, behind white space and marks that nobody sees. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u

/** A cell as it was before it was written to be looked at in a spreadsheet. */
export const fromCsvCell = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

/** What no cell is taken with: control characters but line ends and tabs, and marks that turn the reading direction. */
export const UNFIT_FOR_CELLS = /(?![\n\r\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/u

/** JSON with every character escaped that a terminal might act on: the same value, safe to look at. */
export function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(UNSAFE_IN_JSON, escaped)}\n`
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** What JSON itself leaves as it is: the C1 control characters and the marks that turn the reading direction. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Prints a message to standard error: standard output is for data alone. */
export function printLine(line: string): void {
  for (const part of line.split('\n')) process.stderr.write(`${plain(part)}\n`)
}

export interface LiveLine {
  show(line: string): void
  clear(): void
}

/** One line that is written over while work goes on; silent where nobody looks on. */
export function liveLine(): LiveLine {
  if (!process.stderr.isTTY || process.env.TERM === 'dumb' || process.env.CI) return { show: () => {}, clear: () => {} }
  return {
    show: (line) => process.stderr.write(`\r\u001b[K${plain(line).slice(0, (process.stderr.columns ?? 80) - 1)}`),
    clear: () => process.stderr.write('\r\u001b[K'),
  }
}

/** An answer that takes longer is said to be waited for. */
const LONG_MS = 3_000

/** Awaits what was asked of the service, and says that it is waited for once it takes long. */
export async function awaited<T>(url: string, asked: Promise<T>): Promise<T> {
  const live = liveLine()
  const began = Date.now()
  const beat = setInterval(() => {
    const waited_ms = Date.now() - began
    if (waited_ms >= LONG_MS) live.show(`Waiting for ${url}: ${Math.floor(waited_ms / 1000)} s`)
  }, 1000)
  try {
    return await asked
  } finally {
    clearInterval(beat)
    if (Date.now() - began >= LONG_MS) live.clear()
  }
}

/**
 * Text of the server made safe to show: control characters, which can move the cursor, recolour or rename a terminal, and
 * marks that turn the reading direction, are left out. Line breaks and tabs become spaces.
 */
export function plain(text: string): string {
  return text.replace(/[\t\n\r\u2028\u2029]+/g, ' ').replace(ACTED_ON, '')
}

const ACTED_ON = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The same of a whole file, whose lines and columns stay. */
export const plainLines = (text: string) => text.replace(/[^\n\t]+/g, (part) => part.replace(ACTED_ON, ''))

function tableOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)\n' : rowsOf(value as Record<string, unknown>[])
  if (value === null || typeof value !== 'object') return `${cellOf(value)}\n`
  const entries = Object.entries(value).map(([key, cell]) => [plain(key), cell] as const)
  const width = Math.max(...entries.map(([key]) => key.length))
  return entries.map(([key, cell]) => `${key.padEnd(width)}  ${cellOf(cell)}\n`).join('')
}

function rowsOf(rows: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] as Record<string, unknown>)
  const cells = [columns.map(plain), ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => (row[at] as string).length)))
  return cells
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] as number)).join('  '))
    .map((line) => `${cut(line.trimEnd())}\n`)
    .join('')
}

/** Where somebody looks on, a row is a line of the terminal; a file or another program has all of it. */
function cut(line: string): string {
  const { isTTY, columns } = process.stdout
  return isTTY && columns && line.length > columns ? `${line.slice(0, columns - 1)}~` : line
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value))
    return plain(value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')) || '-'
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
