import { refuseField } from '#domain/kernel/validation.ts'

/**
 * Reads all bytes of a file into memory.
 * @throws Refusal validation_failed on `file` if it is larger than any file of its source
 */
export async function readWholeFile(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > most)
      refuseField('file', `The file is larger than ${Math.round(most / 1_048_576)} MB, the limit for files of this source.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
