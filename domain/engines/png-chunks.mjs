/** The chunks that define the image (PNG, 5.6): the rest are texts, times and colour profiles, which may decompress to any size. */
const DRAWN_FROM = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
const SIGNATURE_BYTES = 8
/** Length, name and checksum of a chunk. */
const FRAME_BYTES = 12

/**
 * Returns a PNG file with only the chunks that define the image, and its compressed image data.
 * @param {Buffer} file
 * @returns {{ file: Buffer, packed: Buffer }}
 */
export function drawnPart(file) {
  const kept = [file.subarray(0, SIGNATURE_BYTES)]
  const packed = []
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= file.length; ) {
    const end = at + FRAME_BYTES + file.readUInt32BE(at)
    const name = file.toString('latin1', at + 4, at + 8)
    if (DRAWN_FROM.has(name)) kept.push(file.subarray(at, end))
    if (name === 'IDAT') packed.push(file.subarray(at + 8, end - 4))
    at = end
  }
  return { file: Buffer.concat(kept), packed: Buffer.concat(packed) }
}
