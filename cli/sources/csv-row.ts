/** A cell in quotes, which are doubled inside, or one without; each ends at a comma or with the row. Two quotes are read in one way alone. */
const CELL = /(?:"((?:[^"]|""|"(?!"|,|\r?\n|$))*"?)"|([^,\r\n]*))(,|\r?\n|$)/g

/** The cells of the first row of a CSV text (RFC 4180); a quote inside a cell that ends nothing is text. */
export function cellsOf(text: string): string[] {
  const cells: string[] = []
  for (const [, quoted, plain, end] of text.replace(/^\u00ef\u00bb\u00bf/, '').matchAll(CELL)) {
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end !== ',') break
  }
  return cells
}
