import type { ByteSpan } from '#domain/archive/files/span.ts'
import { present } from '#domain/kernel/present.ts'

/** A line of a file, with its number from 1. */
export interface NumberedLine {
  number: number
  /** Its bytes, without the line's end. */
  span: ByteSpan
  text: string
}

/** Characters of the longest line believed; of a longer one only the beginning comes. */
const LINE_MAX = 65_536

/** Lines of ASCII text as it arrives, without their ends: a list for each piece. Other bytes come as latin1 has them. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine[]> {
  let number = 0
  let rest = ''
  /** Bytes before the line that is open, and before the piece that is looked at. */
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
  for await (const piece of bytes) {
    const parts = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1').split('\n')
    let end = before - 1
    before += piece.byteLength
    const last = present(parts.pop())
    yield parts.map((part, index) => {
      end += part.length + 1
      return finish(index > 0 ? part : rest + part, end)
    })
    rest = (parts.length > 0 ? last : rest + last).slice(0, LINE_MAX)
  }
  if (rest !== '') yield [finish(rest, before)]
}
