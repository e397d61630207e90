import { padTo, prefixOf, widthOf } from './width.ts'

export const formats = ['table', 'json', 'ndjson', 'csv'] as const

export interface Output {
  output: (typeof formats)[number]
  /** Keys to print, with dots for nested keys; all keys by default. */
  fields?: readonly string[] | null
}

/**
 * Prints a response to standard output: as JSON exactly what the server returned, as a table the columns of `shown`.
 * A list gives a table of its rows, a single object a table of its keys. ndjson and csv contain whole rows.
 */
export function print(answer: unknown, { output, fields }: Output, shown: unknown = dataOf(answer)): void {
  const picked = (value: unknown) => (fields ? each(value, (row) => pick(row, fields)) : value)
  if (fields) noteUnknown(fields, rowsIn(dataOf(answer)))
  if (output === 'json') process.stdout.write(jsonOf(fields ? picked(dataOf(answer)) : answer))
  else if (output === 'ndjson')
    process.stdout.write(
      rowsIn(picked(dataOf(answer)))
        .map(lineOf)
        .join(''),
    )
  else if (output === 'csv') process.stdout.write(csvOf(rowsIn(picked(dataOf(answer))), fields ?? []))
  else process.stdout.write(tableOf(fields ? picked(dataOf(answer)) : shown))
}

/** The content of an envelope; the response itself if there is none. */
function dataOf(answer: unknown): unknown {
  return answer !== null && typeof answer === 'object' && 'data' in answer ? answer.data : answer
}

/** One line of JSON that is safe to display. */
function lineOf(value: unknown): string {
  return `${JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped)}\n`
}

const rowsIn = (value: unknown) => (Array.isArray(value) ? value : [value])
const each = (value: unknown, of: (row: unknown) => unknown) => (Array.isArray(value) ? value.map(of) : of(value))
const pick = (row: unknown, fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, at(row, field)]))

/** Prints which of the keys no row has: a misspelled key would otherwise look like a value that is not stated. */
function noteUnknown(fields: readonly string[], rows: readonly unknown[]): void {
  const unknown = fields.filter((field) => rows.length > 0 && rows.every((row) => lacks(row, field.split('.'))))
  if (unknown.length === 0) return
  const keys = [...new Set(rows.flatMap((row) => Object.keys(Object(row))))]
  printLine(`--fields: there is no ${unknown.join(', ')}. Keys are ${keys.join(', ')}.`)
}

/** Whether an object lacks a nested key. Below a null, any key may be meant. */
function lacks(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || value === null) return false
  if (typeof value !== 'object' || !Object.hasOwn(value, key)) return true
  return lacks((value as Record<string, unknown>)[key], rest)
}

/** The value at a dotted key; null if there is none. */
function at(row: unknown, field: string): unknown {
  const found = field
    .split('.')
    .reduce<unknown>((value, key) => (value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : null), row)
  return found ?? null
}

/**
 * RFC 4180. Nested objects become columns with dotted names; lists stay JSON in their cell.
 * @param fields the columns if there are no rows; without them, no rows are an empty text
 */
function csvOf(rows: readonly unknown[], fields: readonly string[]): string {
  const flat = rows.map((row) => flatten(row))
  const columns = rows.length > 0 ? [...new Set(flat.flatMap((row) => Object.keys(row)))] : fields
  if (columns.length === 0) return ''
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
 * Puts an apostrophe before a text that a spreadsheet would run as a formula; numbers, also negative ones, stay as they are. Quotes
 * also text that would start another cell in files separated by semicolons or tabs.
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What a spreadsheet may start a formula with, as in the files of the service: also in full width, after white space and invisible marks. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

/** Restores a cell that was escaped for spreadsheets. */
export const fromCsvCell = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

/** Characters that no cell may contain: control characters except line ends and tabs, and characters that change the text direction. */
export const UNFIT_FOR_CELLS = /(?![\n\r\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/u

/** JSON with every character escaped that a terminal might interpret: the same value, safe to display. */
export function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(UNSAFE_IN_JSON, escaped)}\n`
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Characters that JSON does not escape: C1 control characters, and characters that change the text direction. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Prints a message to standard error, because standard output is only for data. */
export function printLine(line: string): void {
  for (const part of line.split('\n')) process.stderr.write(`${plain(part)}\n`)
}

/** Prints a table to standard error: what a user should see before a question, beside the data. */
export function printAside(value: unknown): void {
  process.stderr.write(tableOf(value))
}

export interface LiveLine {
  show(line: string): void
  clear(): void
}

/** Shows a progress line that is overwritten; silent if standard error is not a terminal. */
export function liveLine(): LiveLine {
  if (!process.stderr.isTTY || process.env.TERM === 'dumb' || process.env.CI) return { show: () => {}, clear: () => {} }
  return {
    show: (line) => process.stderr.write(`\r\u001b[K${prefixOf(plain(line), (process.stderr.columns ?? 80) - 1)}`),
    clear: () => process.stderr.write('\r\u001b[K'),
  }
}

/** If a response takes longer, a message says that it is awaited. */
const LONG_MS = 3_000

/** Awaits a response of the service, and shows a waiting message if it takes long. */
export async function awaitWithNotice<T>(url: string, response: Promise<T>): Promise<T> {
  const live = liveLine()
  const startedAt = Date.now()
  const timer = setInterval(() => {
    const waited_ms = Date.now() - startedAt
    if (waited_ms >= LONG_MS) live.show(`Waiting for ${url}: ${Math.floor(waited_ms / 1000)} s`)
  }, 1000)
  try {
    return await response
  } finally {
    clearInterval(timer)
    if (Date.now() - startedAt >= LONG_MS) live.clear()
  }
}

/**
 * Makes server text safe to display: removes control characters, which can move the cursor, recolour or rename a terminal,
 * and characters that change the text direction. Line breaks and tabs become spaces.
 */
export function plain(text: string): string {
  return text.replace(/[\t\n\r\u2028\u2029]+/g, ' ').replace(UNSAFE_ON_TERMINAL, '')
}

const UNSAFE_ON_TERMINAL = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The same for a whole file, keeping its lines and columns. */
export const plainLines = (text: string) => text.replace(/[^\n\t]+/g, (part) => part.replace(UNSAFE_ON_TERMINAL, ''))

function tableOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)\n' : rowsOf(value as Record<string, unknown>[])
  if (value === null || typeof value !== 'object') return `${cellOf(value)}\n`
  const entries = Object.entries(value).map(([key, cell]) => [plain(key), cell] as const)
  const width = Math.max(...entries.map(([key]) => widthOf(key)))
  return entries.map(([key, cell]) => `${padTo(key, width)}  ${cellOf(cell)}\n`).join('')
}

function rowsOf(rows: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] as Record<string, unknown>)
  const cells = [columns.map(plain), ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] as string))))
  return cells
    .map((row) => row.map((cell, at) => padTo(cell, widths[at] as number)).join('  '))
    .map((line) => `${cut(line.trimEnd())}\n`)
    .join('')
}

/** On a terminal, a row is cut to one line. A file or another program gets the whole row. */
function cut(line: string): string {
  const { isTTY, columns } = process.stdout
  return isTTY && columns && widthOf(line) > columns ? `${prefixOf(line, columns - 1)}~` : line
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value))
    return plain(value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')) || '-'
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
