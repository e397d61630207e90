import { refuseField } from '#domain/kernel/validation.ts'

/**
 * Reads all bytes of a file into memory.
 * @throws Refusal validation_failed on `file` if it is larger than any file of its source
 */
export async function readAllBytes(bytes: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > max_bytes)
      refuseField('file', `The file is larger than ${Math.round(max_bytes / 1_048_576)} MB, the limit for files of this source.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
