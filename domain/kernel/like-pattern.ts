/** Returns LIKE patterns, for ILIKE ANY, that find the literal text anywhere: one for each form in which Unicode may hold its accents. */
export function containsPatterns(text: string): string[] {
  const forms = new Set([text.normalize('NFC'), text.normalize('NFD')])
  return [...forms].map((form) => `%${form.replace(/[\\%_]/g, '\\$&')}%`)
}
