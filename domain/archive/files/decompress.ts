import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '#domain/kernel/fault.ts'

/** Size of a decompressed chunk, in bytes. */
const PIECE = 262_144

/**
 * Yields the bytes of a file, decompressed if the first two bytes identify gzip (RFC 1952). A truncated gzip throws at its
 * end. If the reader stops early, the rest is still drained from the sender: only then does the sender read the response.
 */
export async function* decompress(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const pieces = stream[Symbol.asyncIterator]()
  try {
    const head = await headOf(pieces)
    const all = followed(head, pieces)
    if (!isGzip(head)) yield* all
    // A gzip error reaches the reader of the decompressed bytes.
    else yield* pipeline(Readable.from(all), createGunzip({ chunkSize: PIECE }), () => {})
  } finally {
    await takeRest(pieces)
  }
}

/** Whether the first two bytes of a file are those of gzip. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

async function headOf(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const { value, done } = await pieces.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  return head
}

async function* followed(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head
  for (;;) {
    const { value, done } = await rest.next()
    if (done) return
    yield value
  }
}

async function takeRest(pieces: AsyncIterator<Buffer>): Promise<void> {
  try {
    while (!(await pieces.next()).done);
  } catch {
    // The sender is gone, so there is nobody to respond to.
  }
}

/** Returns the message for the sender if the bytes themselves are at fault; null for any other error. */
export function byteFault(fault: unknown): string | null {
  const code = codeOf(fault)
  if (code === 'Z_BUF_ERROR') return 'The gzip file is cut off before its end.'
  if (code === 'Z_DATA_ERROR') return 'The gzip file is damaged.'
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return 'The transfer ended before the file was complete.'
  return null
}
