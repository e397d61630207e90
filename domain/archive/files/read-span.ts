import { createHash } from 'node:crypto'
import { decompress } from '#domain/archive/files/decompress.ts'
import type { ByteSpan } from '#domain/archive/files/span.ts'

/** A part of a file, and the hash of the whole file. */
export interface SpanOfFile {
  /** Null if the file ends before the span does. */
  bytes: Buffer | null
  /** Of the file as stored, lower-case hex. */
  sha256: string
}

/** Reads a span of the decompressed file. Reads the whole file to compute its hash, but keeps no more than the span in memory. */
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
  // After `break`, decompress still drains the rest of the file, still compressed.
  for await (const piece of decompress(hashed())) {
    if (at + piece.length > start) pieces.push(piece.subarray(Math.max(0, start - at), Math.max(0, start + length - at)))
    at += piece.length
    if (at >= start + length) break
  }
  const found = Buffer.concat(pieces)
  return { bytes: found.length === length ? found : null, sha256: hash.digest('hex') }
}
