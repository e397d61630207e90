import { present } from '#domain/kernel/present.ts'
/** A line of a file, with its number from 1. */
export interface NumberedLine {
  number: number
  text: string
}

/** Characters of the longest line believed; of a longer one only the beginning comes. */
const LINE_MAX = 65_536

/** Lines of UTF-8 text as it arrives, without their ends: a list for each piece. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine[]> {
  const decoder = new TextDecoder()
  let number = 0
  let rest = ''
  const line = (text: string): NumberedLine => ({ number: ++number, text: text.endsWith('\r') ? text.slice(0, -1) : text })
  for await (const piece of bytes) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = present(parts.pop()).slice(0, LINE_MAX)
    yield parts.map(line)
  }
  if (rest !== '') yield [line(rest)]
}
