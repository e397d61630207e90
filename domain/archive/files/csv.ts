import { isAscii } from 'node:buffer'
import type { ByteSpan } from '#domain/archive/files/span.ts'
import { decodeText } from '#domain/archive/files/text.ts'
import { present } from '#domain/kernel/present.ts'

/** A row of a CSV file, or what stands where one should be. */
export interface CsvRow {
  /** Line of the file on which it begins, from 1. */
  line: number
  /** Its bytes, without the line's end. */
  span: ByteSpan
  fields: string[]
  /** Why the row cannot be used; its fields are then as far as they could be read. */
  fault: string | null
}

/** Characters of the longest line and row believed: the longest narrative known has 16,000, and a row has two. */
const ROW_CHARACTERS_MAX = 131_072
/** Lines of the longest row believed: narratives have some tens. */
const ROW_LINES_MAX = 1_000
/** Rows of a table begin with a number; a line that does not is the rest of a row that went wrong. */
const ROW_START = /^"?\d+"?,/

/**
 * Reads CSV (RFC 4180, UTF-8 or windows-1252, a stray quote inside a quoted field tolerated) as it arrives: a list of rows for
 * each piece. The first row is the header; every later one must have as many fields. A broken row costs itself only: where a quote is
 * never closed, or joins two rows, reading goes on at the next line that begins like a row. Memory grows neither with
 * the file nor with its longest line.
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  let lines: Line[] = []
  let width: number | null = null
  let lost = false
  const take = (ended: boolean): CsvRow[] => {
    const rows: CsvRow[] = []
    let at = 0
    while (at < lines.length) {
      const line = present(lines[at])
      if (line.text === '' || (lost && !ROW_START.test(line.text))) {
        at += 1
        continue
      }
      const found = rowAt(lines, at, width, ended)
      if (!found) break
      rows.push(found.row)
      width ??= found.row.fields.length
      lost = found.row.fault !== null
      at += found.lines
    }
    lines = lines.slice(at)
    return rows
  }
  for await (const arrived of readLines(bytes)) {
    lines = lines.concat(arrived)
    yield take(false)
  }
  yield take(true)
}

interface Found {
  row: CsvRow
  /** Lines that it takes up. */
  lines: number
}

/** The row that begins on a line; null where its end has not arrived yet. */
function rowAt(lines: Line[], at: number, width: number | null, ended: boolean): Found | null {
  const first = present(lines[at])
  const row: OpenRow = { fields: [], open: null }
  let length = 0
  let is_ascii = true
  for (let count = 1; ; count++) {
    const line = lines[at + count - 1]
    if (!line && !ended) return null
    length += line?.text.length ?? 0
    if (!line || count > ROW_LINES_MAX || length > ROW_CHARACTERS_MAX) return broken(first, 'a quote is opened and never closed')
    if (line.overlong) return broken(first, `a line is longer than ${ROW_CHARACTERS_MAX} characters`)
    if (count > 1 && isRow(line.text, width)) return broken(first, 'a quote is opened and never closed')
    addLine(row, line.text)
    is_ascii &&= line.is_ascii
    if (row.open !== null) continue
    if (width === null || row.fields.length === width) {
      const fields = is_ascii ? row.fields : row.fields.map(decoded)
      return { row: { line: first.number, span: spanOf(first, line), fields, fault: null }, lines: count }
    }
    return broken(first, `${row.fields.length} fields where the header has ${width}`)
  }
}

/** Whether a line is a whole row by itself, which no line of a narrative is. */
function isRow(line: string, width: number | null): boolean {
  if (!ROW_START.test(line)) return false
  const row: OpenRow = { fields: [], open: null }
  addLine(row, line)
  return row.open === null && row.fields.length === width
}

/** Only its first line is given up: the next ones are looked at again. */
function broken(first: Line, fault: string): Found {
  return { row: { line: first.number, span: spanOf(first, first), fields: first.text.split(',').map(decoded), fault }, lines: 1 }
}

/** The text of a field whose bytes were read one by one: in no encoding of these are a quote, a comma and a line's end part of another letter. */
const decoded = (field: string): string => decodeText(Buffer.from(field, 'latin1'))

const spanOf = (first: Line, last: Line): ByteSpan => ({ start: first.start, length: last.end - first.start })

interface OpenRow {
  fields: string[]
  /** The quoted field that goes on into the next line. */
  open: string | null
}

function addLine(row: OpenRow, line: string): void {
  let at = 0
  if (row.open !== null) {
    const close = closingQuote(line, 0)
    if (close < 0) {
      row.open += `\n${line}`
      return
    }
    row.fields.push(unquoted(`${row.open}\n${line.slice(0, close)}`))
    row.open = null
    at = close + 2
    if (close + 1 === line.length) return
  }
  while (at <= line.length) {
    if (line.charCodeAt(at) === QUOTE) {
      const close = closingQuote(line, at + 1)
      if (close < 0) {
        row.open = line.slice(at + 1)
        return
      }
      row.fields.push(unquoted(line.slice(at + 1, close)))
      at = close + 2
      if (close + 1 === line.length) return
    } else {
      const comma = line.indexOf(',', at)
      row.fields.push(comma < 0 ? line.slice(at) : line.slice(at, comma))
      if (comma < 0) return
      at = comma + 1
    }
  }
}

const QUOTE = 34
const COMMA = 44

/** Index of the quote that ends a field: one before a comma or the line's end; -1 where the field goes on. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from)
  while (at >= 0 && at + 1 < line.length) {
    const next = line.charCodeAt(at + 1)
    if (next === COMMA) return at
    at = line.indexOf('"', at + (next === QUOTE ? 2 : 1))
  }
  return at
}

function unquoted(text: string): string {
  return text.includes('"') ? text.replaceAll('""', '"') : text
}

interface Line {
  number: number
  /** The file's bytes that it stands in, without its end and a byte order mark before it. */
  start: number
  end: number
  /** A character for each byte, so that what is counted are bytes. */
  text: string
  /** Whether that is its text as it stands: nearly every line is, and is not decoded. */
  is_ascii: boolean
  /** Too long to be kept: its text is only its beginning. */
  overlong: boolean
}

/** Characters kept of a line that is too long: enough to name it by. */
const OVERLONG_KEPT = 200
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf'

const NOT_ASCII = /[\u0080-\u00ff]/

/** Splits bytes at line feeds, without carriage returns; drops the rest of a line that is too long. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let number = 0
  let rest = ''
  let overlong = false
  /** Whether the piece that is looked at is ASCII, and with it the line that is open. */
  let [plain, rest_plain] = [true, true]
  /** Bytes before the line that is open, and before the piece that is looked at. */
  let [start, before] = [0, 0]
  const finish = (text: string, end: number): Line => {
    number += 1
    const returned = text.endsWith('\r')
    const line = {
      number,
      start,
      end: returned ? end - 1 : end,
      text: returned ? text.slice(0, -1) : text,
      is_ascii: (plain && rest_plain) || !NOT_ASCII.test(text),
      overlong: overlong || text.length > ROW_CHARACTERS_MAX,
    }
    if (number === 1 && line.text.startsWith(BYTE_ORDER_MARK)) {
      line.text = line.text.slice(BYTE_ORDER_MARK.length)
      line.start += BYTE_ORDER_MARK.length
    }
    if (line.overlong) line.text = line.text.slice(0, OVERLONG_KEPT)
    overlong = false
    start = end + 1
    return line
  }
  for await (const piece of bytes) {
    const parts = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1').split('\n')
    let end = before - 1
    before += piece.byteLength
    plain = isAscii(piece)
    if (overlong && parts.length === 1) continue
    const last = present(parts.pop())
    const lines = parts.map((part, index) => {
      end += part.length + 1
      return finish(index > 0 ? part : overlong ? rest : rest + part, end)
    })
    rest = lines.length > 0 ? last : rest + last
    rest_plain = plain && (rest_plain || lines.length > 0)
    if (rest.length > ROW_CHARACTERS_MAX) {
      overlong = true
      rest = rest.slice(0, OVERLONG_KEPT)
    }
    yield lines
  }
  if (rest !== '') yield [finish(rest, before)]
}
