import { createHash } from 'node:crypto'
import { decompress, isGzip } from '#domain/archive/files/decompress.ts'

/** Hash and size of a file as fetched and as decompressed. Both pairs are the same for a file that is not gzip. */
export interface FileDigest {
  /** Lower-case hex. */
  sha256: string
  bytes: number
  unpacked_sha256: string
  unpacked_bytes: number
}

/** A file that is read as it arrives. */
export interface ArrivingFile {
  /** Decompressed if the file is gzip. Once begun, returning early still drains the rest from the sender. */
  bytes: AsyncGenerator<Uint8Array>
  /**
   * Covers all bytes of the file: reads the bytes that the reader left first.
   * @throws any error of the bytes
   */
  digest(): Promise<FileDigest>
}

/**
 * Reads a file once, and hashes its bytes on the way to the parser.
 * @param keep receives each piece as fetched, before it is passed on
 */
export function openArrivingFile(stream: AsyncIterable<Buffer>, keep?: (piece: Buffer) => Promise<void>): ArrivingFile {
  const fetched = createDigest()
  const unpacked = createDigest()
  let ended = false
  async function* fetchedPieces(): AsyncGenerator<Buffer> {
    for await (const piece of stream) {
      fetched.add(piece)
      await keep?.(piece)
      yield piece
    }
  }
  async function* unpackedPieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of decompress(fetchedPieces())) {
      // For a plain file both digests are the same.
      if (isGzip(fetched.head())) unpacked.add(piece)
      yield piece
    }
    ended = true
  }
  const bytes = unpackedPieces()
  return {
    bytes,
    async digest() {
      for await (const _rest of bytes);
      if (!ended) throw new Error('a file whose reading was ended early has no digest')
      const fetchedDigest = fetched.sum()
      const unpackedDigest = isGzip(fetched.head()) ? unpacked.sum() : fetchedDigest
      return { ...fetchedDigest, unpacked_sha256: unpackedDigest.sha256, unpacked_bytes: unpackedDigest.bytes }
    },
  }
}

/** Hashes and counts bytes as they pass. */
function createDigest() {
  const hash = createHash('sha256')
  let head: Uint8Array = new Uint8Array()
  let bytes = 0
  return {
    add(piece: Uint8Array): void {
      if (head.length < HEAD) head = Buffer.concat([head, piece.subarray(0, HEAD - head.length)])
      hash.update(piece)
      bytes += piece.length
    },
    /** The first bytes, up to those received so far. */
    head: () => head,
    sum: () => ({ sha256: hash.digest('hex'), bytes }),
  }
}

/** Number of bytes that show whether a file is gzip. */
const HEAD = 2
