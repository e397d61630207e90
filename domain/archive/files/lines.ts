import type { ByteSpan } from '#domain/archive/files/span.ts'
import { present } from '#domain/kernel/present.ts'

/** A line of a file, with its number from 1. */
export interface NumberedLine {
  number: number
  /** The bytes of the line, without the line end. */
  span: ByteSpan
  text: string
}

/** Maximum characters of a line; of a longer line only the beginning is returned. */
const LINE_MAX = 65_536

/**
 * Yields the lines of ASCII text as it arrives, without line ends and without empty lines: a list for each piece. Other bytes are decoded as
 * latin1.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine[]> {
  let number = 0
  let rest = ''
  /** Byte offsets of the open line and of the current piece. */
  let [start, before] = [0, 0]
  const finish = (text: string, end: number): NumberedLine => {
    const returned = text.endsWith('\r')
    const line = {
      number: ++number,
      span: { start, length: end - start - (returned ? 1 : 0) },
      text: (returned ? text.slice(0, -1) : text).slice(0, LINE_MAX),
    }
    start = end + 1
    return line
  }
  /** A hundred million empty lines fit into a small gzip file, and each would be an object. */
  const skip = (end: number) => {
    number += 1
    start = end + 1
  }
  for await (const piece of bytes) {
    const parts = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1').split('\n')
    let end = before - 1
    before += piece.byteLength
    const last = present(parts.pop())
    const lines: NumberedLine[] = []
    for (const [index, part] of parts.entries()) {
      end += part.length + 1
      const text = index > 0 ? part : rest + part
      if (text === '' || text === '\r') skip(end)
      else lines.push(finish(text, end))
    }
    yield lines
    rest = (parts.length > 0 ? last : rest + last).slice(0, LINE_MAX)
  }
  if (rest !== '') yield [finish(rest, before)]
}
