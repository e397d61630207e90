import { open } from 'node:fs/promises'
import { buffer as wholeOf } from 'node:stream/consumers'
import type { Http } from '#domain/engines/http.ts'

/** A large file that is read in parts. */
export interface ByteRanges {
  /** Bytes from an offset; fewer at its end. */
  read(offset: number, length: number): Promise<Buffer>
}

/** Timeout of one request. */
const ANSWER_MS = 10_000

/** A local file, opened again for each part: a file that replaces it is read from then on. */
export function fileRanges(file: string): ByteRanges {
  return {
    async read(offset, length) {
      const opened = await open(file, 'r')
      try {
        const { buffer, bytesRead } = await opened.read(Buffer.alloc(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      } finally {
        await opened.close()
      }
    },
  }
}

/** A file on a web server that supports range requests (RFC 9110). */
export function urlRanges(http: Pick<Http, 'open'>, url: string): ByteRanges {
  return {
    async read(offset, length) {
      const headers = { range: `bytes=${offset}-${offset + length - 1}` }
      const { status, body } = await http.open(url, { headers, timeout_ms: ANSWER_MS, max_bytes: length })
      if (status === 206) return wholeOf(body)
      body.destroy()
      throw new Error(`the basemap's server responded with status ${status} to a range request`)
    },
  }
}
