import { createHash } from 'node:crypto'
import { decompress, isGzip } from '#domain/archive/files/decompress.ts'

/** What the bytes of a file are, as they were fetched and as they unpack; of a file that is not gzip both are the same. */
export interface FileDigest {
  /** Lower-case hex. */
  sha256: string
  bytes: number
  unpacked_sha256: string
  unpacked_bytes: number
}

/** A file that is read as it arrives. */
export interface ArrivingFile {
  /** Unpacked where it is gzip. Whoever returns it early has the rest taken from the sender. */
  bytes: AsyncGenerator<Uint8Array>
  /**
   * Of all its bytes: those that its reader left are read first.
   * @throws whatever is wrong with the bytes
   */
  digest(): Promise<FileDigest>
}

/**
 * Reads a file once: its bytes are hashed on their way to whoever parses them.
 * @param keep takes each piece as it was fetched, before it is read on
 */
export function openArrivingFile(stream: AsyncIterable<Buffer>, keep?: (piece: Buffer) => Promise<void>): ArrivingFile {
  const fetched = tally()
  const unpacked = tally()
  let ended = false
  async function* fetching(): AsyncGenerator<Buffer> {
    for await (const piece of stream) {
      fetched.add(piece)
      await keep?.(piece)
      yield piece
    }
  }
  async function* reading(): AsyncGenerator<Uint8Array> {
    for await (const piece of decompress(fetching())) {
      // Of a plain file both are one.
      if (isGzip(fetched.head())) unpacked.add(piece)
      yield piece
    }
    ended = true
  }
  const bytes = reading()
  return {
    bytes,
    async digest() {
      for await (const _rest of bytes);
      if (!ended) throw new Error('a file whose reading was ended early has no digest')
      const whole = fetched.sum()
      const inside = isGzip(fetched.head()) ? unpacked.sum() : whole
      return { ...whole, unpacked_sha256: inside.sha256, unpacked_bytes: inside.bytes }
    },
  }
}

/** Hashes and counts bytes as they pass. */
function tally() {
  const hash = createHash('sha256')
  let head: Uint8Array = new Uint8Array()
  let bytes = 0
  return {
    add(piece: Uint8Array): void {
      if (head.length < HEAD) head = Buffer.concat([head, piece.subarray(0, HEAD - head.length)])
      hash.update(piece)
      bytes += piece.length
    },
    /** The first bytes, as far as they have come. */
    head: () => head,
    sum: () => ({ sha256: hash.digest('hex'), bytes }),
  }
}

/** Bytes that show whether a file is gzip. */
const HEAD = 2
