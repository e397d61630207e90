/** One value of DER: its tag, its contents, and the bytes of both with their length. */
export interface Der {
  tag: number
  body: Buffer
  whole: Buffer
}

/**
 * Reads consecutive values.
 * @throws Error for a length that is not the shortest possible or leads past the end: only one encoding of a value is taken,
 *   so that no byte of it can change unseen
 */
export function readDer(bytes: Buffer): Der[] {
  const values: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = readFirst(bytes.subarray(at))
    values.push(value)
    at += value.whole.length
  }
  return values
}

/** The first value of some bytes that may go on. */
export function readFirst(bytes: Buffer): Der {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined || (tag & LONG_TAG) === LONG_TAG) throw new Error('broken DER')
  const { length, header } = first < LONG_LENGTH ? { length: first, header: 2 } : longLength(bytes, first - LONG_LENGTH)
  const end = header + length
  if (end > bytes.length) throw new Error('broken DER')
  return { tag, body: bytes.subarray(header, end), whole: bytes.subarray(0, end) }
}

/** Tags above 30 take more bytes; none of those are used here. */
const LONG_TAG = 0x1f
const LONG_LENGTH = 0x80
/** 16 MiB: more than any signature. */
const LENGTH_BYTES_MAX = 3

function longLength(bytes: Buffer, count: number): { length: number; header: number } {
  if (count < 1 || count > LENGTH_BYTES_MAX || bytes.length < 2 + count) throw new Error('broken DER')
  const length = bytes.readUIntBE(2, count)
  if (length < LONG_LENGTH || (count > 1 && length < 256 ** (count - 1))) throw new Error('broken DER')
  return { length, header: 2 + count }
}
