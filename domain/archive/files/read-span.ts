import { decompress } from '#domain/archive/files/decompress.ts'
import type { Span } from '#domain/archive/files/span.ts'

/** The bytes of a span of what a file unpacks to; null where the file ends before. No more of it is held. */
export async function readSpan(file: AsyncIterable<Buffer>, { start, length }: Span): Promise<Buffer | null> {
  const pieces: Uint8Array[] = []
  let at = 0
  for await (const piece of decompress(file)) {
    if (at + piece.length > start) pieces.push(piece.subarray(Math.max(0, start - at), Math.max(0, start + length - at)))
    at += piece.length
    if (at >= start + length) break
  }
  const found = Buffer.concat(pieces)
  return found.length === length ? found : null
}
