import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export type Row = Record<string, string>

/**
 * Reads a CSV file, gzipped or plain: RFC 4180, with line ends inside quotes. Each cell is UTF-8 or, in older
 * files, latin1; the first row names the columns.
 */
export function readCsv(file: string): Row[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
  const [names, ...rows] = split(text)
  return rows.map((cells) => Object.fromEntries((names as string[]).map((name, at) => [name, textOf(cells[at] ?? '')])))
}

/** @param cell read as latin1: one character for each byte */
function textOf(cell: string): string {
  if (!/[\u0080-\u00ff]/.test(cell)) return cell
  const bytes = Buffer.from(cell, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return cell
  }
}

function split(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const cell = text[at] === '"' ? quoted(text, at) : plain(text, at)
    row.push(cell.value)
    at = cell.end
    if (text[at] === ',') {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  return rows
}

function quoted(text: string, from: number): { value: string; end: number } {
  let value = ''
  let at = from + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) throw new Error('a quote is never closed')
    value += text.slice(at, end)
    if (text[end + 1] !== '"') return { value, end: end + 1 }
    value += '"'
    at = end + 2
  }
}

function plain(text: string, from: number): { value: string; end: number } {
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== '\r' && text[end] !== '\n') end += 1
  return { value: text.slice(from, end), end }
}
