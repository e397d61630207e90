/** Where something stands in a file: bytes of what the file unpacks to. */
export interface ByteSpan {
  start: number
  length: number
}

/** What was read from a file, with where it stands there; left out where it was read from none. */
export interface Spanned {
  /** The row of archive_files. */
  file_id?: number | null
  span_start?: number | null
  span_length?: number | null
}

/** Notes on what was read where it stands in its file. */
export function withSpan<Read extends Spanned>(read: Read, { start, length }: ByteSpan): Read {
  read.span_start = start
  read.span_length = length
  return read
}

/** The span without the blanks, line ends and control characters around it. @param text the file's bytes as latin1 */
export function trimmedSpan(text: string, { start, length }: ByteSpan): ByteSpan {
  let [from, until] = [start, start + length]
  while (from < until && text.charCodeAt(from) <= SPACE) from++
  while (until > from && text.charCodeAt(until - 1) <= SPACE) until--
  return { start: from, length: until - from }
}

const SPACE = 32

/** A line's end in a file: a feed, with any returns before it. From where the returns begin: a run of them would be tried from each. */
export const FILE_LINE_END = /(?<!\r)\r*\n/g
/** A line's end as text products are transmitted: a feed alone, or returns with or without one. */
export const PRODUCT_LINE_END = /\r+\n?|\n/g

/** The parts of a text between its separators: as many as `split` gives. @param text the file's bytes as latin1 */
export function spansBetween(text: string, separator: RegExp): ByteSpan[] {
  const parts: ByteSpan[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(separator)) {
    parts.push({ start, length: index - start })
    start = index + end.length
  }
  parts.push({ start, length: text.length - start })
  return parts
}
