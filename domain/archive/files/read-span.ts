import { createHash } from 'node:crypto'
import { decompress } from '#domain/archive/files/decompress.ts'
import type { ByteSpan } from '#domain/archive/files/span.ts'

/** A part of a file, and what the whole file is. */
export interface SpanOfFile {
  /** Null where the file ends before the span does. */
  bytes: Buffer | null
  /** Of the file as it lies there, lower-case hex. */
  sha256: string
}

/** Reads a span of what a file unpacks to. All of the file is read, so that its hash is known; no more than the span is held. */
export async function readSpan(file: AsyncIterable<Buffer>, { start, length }: ByteSpan): Promise<SpanOfFile> {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const piece of file) {
      hash.update(piece)
      yield piece
    }
  }
  const pieces: Uint8Array[] = []
  let at = 0
  // Ended early it still takes the rest of the file, packed as it is.
  for await (const piece of decompress(hashed())) {
    if (at + piece.length > start) pieces.push(piece.subarray(Math.max(0, start - at), Math.max(0, start + length - at)))
    at += piece.length
    if (at >= start + length) break
  }
  const found = Buffer.concat(pieces)
  return { bytes: found.length === length ? found : null, sha256: hash.digest('hex') }
}
