import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { exits, failure } from './failure.ts'
import { unreadable } from './file-fault.ts'
import { fromCsvCell, UNFIT_FOR_CELLS } from './format.ts'

/** The text of a file, or of standard input for `-`, without a byte order mark. A synchronous read of `-` could not be interrupted. */
export async function textOf(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file))
  } catch (fault) {
    throw unreadable(file, fault)
  }
}

/** The JSON of a file, or of standard input for `-`. @throws Failure if it is none */
export async function jsonFrom(file: string): Promise<unknown> {
  try {
    return JSON.parse(await textOf(file))
  } catch (fault) {
    if (fault instanceof SyntaxError) throw failure(exits.usage, `${file} is not JSON: ${fault.message}`)
    throw fault
  }
}

/** Columns with numbers; the others are text. */
const NUMBERS = ['radius_miles', 'watch_radius_miles', 'latitude', 'longitude']

/** Rows of a CSV file as objects by its header. Empty rows and cells are left out; `tags` is a JSON list, or split at semicolons. */
export async function rowsFrom(file: string, columns: readonly string[]): Promise<Record<string, unknown>[]> {
  const { parse } = await import('csv-parse/sync')
  let rows: Record<string, string>[]
  try {
    rows = parse(await textOf(file), {
      columns: (names: string[]) => requireDistinct(file, names),
      bom: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    })
  } catch (fault) {
    if (fault instanceof Error && 'exit_status' in fault) throw fault
    throw failure(exits.usage, `${file} is not CSV: ${(fault as Error).message}`)
  }
  const unknown = Object.keys(rows[0] ?? {}).filter((name) => !columns.includes(name))
  if (unknown.length > 0)
    throw failure(exits.usage, `${file} has unknown columns: ${unknown.join(', ')}. Known columns are ${columns.join(', ')}.`)
  for (const [at, row] of rows.entries())
    for (const [name, cell] of Object.entries(row))
      if (UNFIT_FOR_CELLS.test(cell)) throw failure(exits.usage, `${file}, row ${at + 1}: ${name} holds ${UNSUPPORTED_CHARACTERS}.`)
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).flatMap(([name, cell]) => (cell === '' ? [] : [[name, valueIn(name, fromCsvCell(cell))]]))),
  )
}

/** @throws Failure if a column has the name of another: only one of their cells could be sent */
function requireDistinct(file: string, names: string[]): string[] {
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw failure(exits.usage, `${file} has more than one column ${repeated || 'without a name'}.`)
  return names
}

const UNSUPPORTED_CHARACTERS = 'control characters, characters that change the text direction, or bytes that are not UTF-8'

function valueIn(name: string, cell: string): unknown {
  if (name === 'tags') return listIn(cell) ?? cell.split(';').flatMap((tag) => tag.trim() || [])
  return NUMBERS.includes(name) && Number.isFinite(Number(cell)) ? Number(cell) : cell
}

/** The texts of a JSON list, which exports write; null if the cell is none. */
function listIn(cell: string): string[] | null {
  try {
    const list: unknown = JSON.parse(cell)
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null
  } catch {
    return null
  }
}
