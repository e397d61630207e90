/** Returns a LIKE pattern that finds the literal text anywhere. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
