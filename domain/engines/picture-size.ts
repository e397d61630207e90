export interface PictureSize {
  format: 'png' | 'jpeg' | 'webp'
  width: number
  height: number
}

/** Reads format and size from an image's first bytes, without decoding it; null for everything except PNG, JPEG and WebP. */
export function pictureSize(bytes: Buffer): PictureSize | null {
  try {
    return pngSize(bytes) ?? jpegSize(bytes) ?? webpSize(bytes)
  } catch {
    // The file ends before its size.
    return null
  }
}

/** PNG, 5.2 and 11.2.1: the first chunk is IHDR. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (!bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** ITU-T T.81, B.1 and B.2.2: a sequence of segments; a frame header (SOF) states the size. */
function jpegSize(bytes: Buffer): PictureSize | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; ; at += 2 + bytes.readUInt16BE(at + 2)) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    if (bytes[at] !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (isFrameHeader(marker)) return { format: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // A scan before any frame.
    if (marker === 0xda) return null
  }
}

/** C0 to CF except tables (C4, CC) and an extension (C8). */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** RFC 9649, 2.5 to 2.7: lossy, lossless or extended, by the name of the first chunk. */
function webpSize(bytes: Buffer): PictureSize | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return { format: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8X') return { format: 'webp', width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) }
  if (kind !== 'VP8L') return null
  const packed = bytes.readUInt32LE(21)
  return { format: 'webp', width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) }
}
