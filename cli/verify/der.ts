/** One DER value: its tag, its contents, and its whole encoding with tag and length. */
export interface Der {
  tag: number
  body: Buffer
  raw: Buffer
}

/**
 * Reads consecutive values.
 * @throws Error if a length is not encoded in the shortest form, or leads past the end. Only one encoding of a value is accepted, so that
 *   no byte of it can change undetected.
 */
export function readDer(bytes: Buffer): Der[] {
  const values: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = readFirst(bytes.subarray(at))
    values.push(value)
    at += value.raw.length
  }
  return values
}

/** Reads the first value; more bytes may follow it. */
export function readFirst(bytes: Buffer): Der {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined || (tag & LONG_TAG) === LONG_TAG) throw new Error('is not valid DER')
  const { length, header } = first < LONG_LENGTH ? { length: first, header: 2 } : longLength(bytes, first - LONG_LENGTH)
  const end = header + length
  if (end > bytes.length) throw new Error('is not valid DER')
  return { tag, body: bytes.subarray(header, end), raw: bytes.subarray(0, end) }
}

/** Tags above 30 need more bytes, and are not used here. */
const LONG_TAG = 0x1f
const LONG_LENGTH = 0x80
/** A length of up to 16 MiB, larger than any signature. */
const LENGTH_BYTES_MAX = 3

function longLength(bytes: Buffer, count: number): { length: number; header: number } {
  if (count < 1 || count > LENGTH_BYTES_MAX || bytes.length < 2 + count) throw new Error('is not valid DER')
  const length = bytes.readUIntBE(2, count)
  if (length < LONG_LENGTH || (count > 1 && length < 256 ** (count - 1))) throw new Error('is not valid DER')
  return { length, header: 2 + count }
}
