import { isAscii } from 'node:buffer'
import type { ByteSpan } from '#domain/archive/files/span.ts'
import { decodeText } from '#domain/archive/files/text.ts'
import { present } from '#domain/kernel/present.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** A row of a CSV file, or the broken text found instead of one. */
export interface CsvRow {
  /** Line of the file on which the row begins, from 1. */
  line: number
  /** The bytes of the row, without the line end. */
  span: ByteSpan
  fields: string[]
  /** Why the row cannot be used. `fields` then has what could be read. */
  fault: string | null
}

/** Maximum characters of a line and of a row: the longest known narrative has 16,000, and a row has two. */
const ROW_CHARACTERS_MAX = 131_072
/** Maximum lines of a row: narratives have a few dozen. */
const ROW_LINES_MAX = 1_000
/**
 * Maximum characters and line ends read in a file to find the ends of broken rows: all but the first of these lines are then read again. A
 * file of quotes that never close would take half a minute for each megabyte. This is the most that 500 rows can take, and a few seconds.
 */
const BROKEN_CHARACTERS_MAX = 500 * ROW_CHARACTERS_MAX
/** Rows of a table begin with a number. A line that does not is the rest of a broken row. */
const ROW_START = /^"?\d+"?,/

/**
 * Reads CSV (RFC 4180, UTF-8 or windows-1252, tolerating a stray quote inside a quoted field) as it arrives, and yields a
 * list of rows for each piece. The first row is the header; every later row must have as many fields. A broken row loses
 * only itself: after a quote that is never closed or that joins two rows, reading continues at the next line that begins
 * like a row. Memory use depends neither on the size of the file nor on its longest line.
 * @throws Refusal validation_failed on `file` if too much of it is broken rows
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  let lines: Line[] = []
  let width: number | null = null
  let lost = false
  let broken_characters = 0
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
      broken_characters += found.read_in_vain
      if (broken_characters > BROKEN_CHARACTERS_MAX)
        refuseField('file', `The file is damaged: too many quotes are opened and never closed, the last one on line ${found.row.line}.`)
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
  /** Number of lines that the row spans. */
  lines: number
  /** Characters and line ends read to find the end of a broken row. */
  read_in_vain: number
}

/** Returns the row that begins on a line; null if its end has not arrived yet. */
function rowAt(lines: Line[], at: number, width: number | null, ended: boolean): Found | null {
  const first = present(lines[at])
  const row: OpenRow = { fields: [], open: null }
  let length = 0
  let is_plain = true
  for (let count = 1; ; count++) {
    const read_in_vain = length + count - 1
    const line = lines[at + count - 1]
    if (!line && !ended) return null
    length += line?.text.length ?? 0
    if (!line || count > ROW_LINES_MAX || length > ROW_CHARACTERS_MAX)
      return broken(first, 'a quote is opened and never closed', read_in_vain)
    if (line.overlong) return broken(first, `a line is longer than ${ROW_CHARACTERS_MAX} characters`, read_in_vain)
    if (count > 1 && isRow(line.text, width)) return broken(first, 'a quote is opened and never closed', read_in_vain)
    addLine(row, line.text)
    is_plain &&= line.is_plain
    if (row.open !== null) continue
    if (width === null || row.fields.length === width) {
      const fields = is_plain ? row.fields : row.fields.map(decoded)
      return { row: { line: first.number, span: spanOf(first, line), fields, fault: null }, lines: count, read_in_vain: 0 }
    }
    return broken(first, `${pluralize(row.fields.length, 'field')} where the header has ${width}`, count > 1 ? read_in_vain : 0)
  }
}

/** Whether a line is a complete row. No line of a narrative is. */
function isRow(line: string, width: number | null): boolean {
  if (!ROW_START.test(line)) return false
  const row: OpenRow = { fields: [], open: null }
  addLine(row, line)
  return row.open === null && row.fields.length === width
}

/** Drops only the first line: the following lines are tried again. */
function broken(first: Line, fault: string, read_in_vain: number): Found {
  return {
    row: { line: first.number, span: spanOf(first, first), fields: first.text.split(',').map(decoded), fault },
    lines: 1,
    read_in_vain,
  }
}

/** Decodes a field that was read byte by byte. In none of these encodings is a quote, a comma or a line end part of another letter. */
const decoded = (field: string): string => decodeText(Buffer.from(field, 'latin1'))

const spanOf = (first: Line, last: Line): ByteSpan => ({ start: first.start, length: last.end - first.start })

interface OpenRow {
  fields: string[]
  /** The quoted field that continues on the next line. */
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

/** Returns the index of the quote that ends a field: one before a comma or the line end. -1 if the field continues. */
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
  /** Byte offsets in the file, without the line end and without a leading byte order mark. */
  start: number
  end: number
  /** One character for each byte, so that lengths count bytes. */
  text: string
  /** True if `text` is ASCII without zero bytes and so needs no decoding, as nearly every line. */
  is_plain: boolean
  /** Too long to keep: `text` is only the beginning. */
  overlong: boolean
}

/** Characters kept of a line that is too long: enough to identify it. */
const OVERLONG_KEPT = 200
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf'

const PLAIN = /^[ -~\t\r]*$/

/**
 * Splits bytes at line feeds and strips carriage returns. Drops the rest of a line that is too long, and empty lines that no row can contain: a
 * hundred million of them fit into a small gzip file, and each would be an object.
 */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let number = 0
  let rest = ''
  let overlong = false
  /** Whether the current piece needs no decoding, and whether the open line needs none. */
  let [plain, rest_plain] = [true, true]
  /** Byte offsets of the open line and of the current piece. */
  let [start, before] = [0, 0]
  const finish = (text: string, end: number): Line => {
    number += 1
    const returned = text.endsWith('\r')
    const line = {
      number,
      start,
      end: returned ? end - 1 : end,
      text: returned ? text.slice(0, -1) : text,
      is_plain: (plain && rest_plain) || PLAIN.test(text),
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
  /** Empty lines in a row up to here. */
  let blank = 0
  const skip = (end: number) => {
    number += 1
    start = end + 1
  }
  for await (const piece of bytes) {
    const parts = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1').split('\n')
    let end = before - 1
    before += piece.byteLength
    plain = isAscii(piece) && !piece.includes(0)
    if (overlong && parts.length === 1) continue
    const last = present(parts.pop())
    const lines: Line[] = []
    for (const [index, part] of parts.entries()) {
      end += part.length + 1
      const text = index > 0 ? part : overlong ? rest : rest + part
      blank = text === '' || text === '\r' ? blank + 1 : 0
      if (blank > ROW_LINES_MAX) skip(end)
      else lines.push(finish(text, end))
    }
    rest = parts.length > 0 ? last : rest + last
    rest_plain = plain && (rest_plain || parts.length > 0)
    if (rest.length > ROW_CHARACTERS_MAX) {
      overlong = true
      rest = rest.slice(0, OVERLONG_KEPT)
    }
    yield lines
  }
  if (rest !== '') yield [finish(rest, before)]
}
