const DECIMALS = 2

/** Formats a number as every interface shows it: two decimals, never -0; null stays null. */
export function hundredths(value: number): number
export function hundredths(value: number | null): number | null
export function hundredths(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(DECIMALS)) + 0
}

/** Returns miles or miles per hour as a text, without trailing zeros. */
export function formatNumber(value: number): string {
  return String(hundredths(value))
}
