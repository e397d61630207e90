/** A position in a file, in bytes of the decompressed file. */
export interface ByteSpan {
  start: number
  length: number
}

/** The position of something that was read from a file; left out if it came from no file. */
export interface Spanned {
  /** The row of archive_files. */
  file_id?: number | null
  span_start?: number | null
  span_length?: number | null
}

/** Adds the position in its file to something that was read. */
export function withSpan<Read extends Spanned>(read: Read, { start, length }: ByteSpan): Read {
  read.span_start = start
  read.span_length = length
  return read
}

/** Returns the span without surrounding blanks, line ends and control characters. @param text the file's bytes as latin1 */
export function trimmedSpan(text: string, { start, length }: ByteSpan): ByteSpan {
  let [from, until] = [start, start + length]
  while (from < until && text.charCodeAt(from) <= SPACE) from++
  while (until > from && text.charCodeAt(until - 1) <= SPACE) until--
  return { start: from, length: until - from }
}

const SPACE = 32

/**
 * A line end in a file: a line feed and any carriage returns before it. The lookbehind keeps a run of returns from being
 * tried from each of them.
 */
export const FILE_LINE_END = /(?<!\r)\r*\n/g
/** A line end as text products are transmitted: a line feed alone, or carriage returns with or without one. */
export const PRODUCT_LINE_END = /\r+\n?|\n/g

/** Returns the spans between separators, as many as `split` gives. @param text the file's bytes as latin1 */
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
