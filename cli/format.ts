export interface Output {
  output: 'table' | 'json'
}

/**
 * Prints an answer to standard output: as JSON just what the server answered, as a table what `shown` picks of it.
 * A list is a table of its rows, a single object a table of its keys.
 */
export function print(answer: unknown, { output }: Output, shown: unknown = answer): void {
  process.stdout.write(output === 'json' ? jsonOf(answer) : tableOf(shown))
}

/** JSON with every character escaped that a terminal might act on: the same value, safe to look at. */
function jsonOf(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(value, null, 2).replace(UNSAFE_IN_JSON, escaped)}\n`
}

/** What JSON itself leaves as it is: the C1 control characters and the marks that turn the reading direction. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Talk goes to standard error: standard output is for data alone. */
export function tell(line: string): void {
  for (const part of line.split('\n')) process.stderr.write(`${plain(part)}\n`)
}

/** One line that is written over while work goes on; silent where nobody looks on. */
export function liveLine(): { show(line: string): void; clear(): void } {
  if (!process.stderr.isTTY || process.env.TERM === 'dumb' || process.env.CI) return { show: () => {}, clear: () => {} }
  return {
    show: (line) => process.stderr.write(`\r\u001b[K${plain(line).slice(0, (process.stderr.columns ?? 80) - 1)}`),
    clear: () => process.stderr.write('\r\u001b[K'),
  }
}

/**
 * Text of the server made safe to show: control characters, which can move the cursor, recolour or rename a terminal, and
 * marks that turn the reading direction, are left out. Line breaks and tabs become spaces.
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  return text.replace(/[\t\n\r]+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}

function tableOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)\n' : rowsOf(value as Record<string, unknown>[])
  const entries = Object.entries(value as Record<string, unknown>)
  const width = Math.max(...entries.map(([key]) => key.length))
  return entries.map(([key, cell]) => `${key.padEnd(width)}  ${cellOf(cell)}\n`).join('')
}

function rowsOf(rows: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] as Record<string, unknown>)
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => (row[at] as string).length)))
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] as number))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value))
    return plain(value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')) || '-'
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
