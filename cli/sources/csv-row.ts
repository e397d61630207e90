/** A cell in quotes, which are doubled inside; it ends at a comma or with the row. Two quotes are read in one way alone. */
const QUOTED = /"((?:[^"]|""|"(?!"|,|\r?\n|$))*"?)"(,|\r?\n|$)/y
/** One without, or whose quote nothing ends. */
const PLAIN = /((?:[^,\r\n]|\r(?!\n))*)(,|\r?\n|$)/y
const QUOTE_AT_END = /"(?=,|\r?\n|$)/g

/**
 * The cells of the first row of a CSV text (RFC 4180); a quote inside a cell that ends nothing is text. Behind the last quote that could end a
 * cell none is looked for: each would be sought through the rest of the text.
 */
export function cellsOf(text: string): string[] {
  const row = text.replace(/^\u00ef\u00bb\u00bf/, '')
  const last_end = [...row.matchAll(QUOTE_AT_END)].at(-1)?.index ?? 0
  const cells: string[] = []
  for (let at = 0; ; ) {
    const isQuoted = row[at] === '"' && at < last_end
    const form = isQuoted ? QUOTED : PLAIN
    form.lastIndex = at
    const [whole = '', cell = '', end] = form.exec(row) ?? []
    cells.push(isQuoted ? cell.replaceAll('""', '"') : cell)
    if (end !== ',') return cells
    at += whole.length
  }
}
