/** Reads a number as the agencies' files write it (12, -96.84, .75); NaN for anything else. */
export function decimalOf(text: string): number {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}
