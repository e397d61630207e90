/**
 * Returns the cells of the first row of a CSV text (RFC 4180); a quote that does not end its cell is text. After the last quote that could
 * end a cell, the search stops: otherwise each quote would be searched for through the rest of the text.
 */
export function cellsOf(text: string): string[] {
  const row = text.replace(/^\u00ef\u00bb\u00bf/, '')
  const last_end = lastEndingQuote(row)
  const cells: string[] = []
  for (let at = 0; ; ) {
    const is_quoted = row[at] === '"' && at < last_end
    const end = is_quoted ? endingQuote(row, at) + 1 : plainEnd(row, at)
    cells.push(is_quoted ? row.slice(at + 1, end - 1).replaceAll('""', '"') : row.slice(at, end))
    if (row[end] !== ',') return cells
    at = end + 1
  }
}

/** The position where an unquoted cell ends, or a cell whose quote is never closed. */
function plainEnd(row: string, at: number): number {
  UP_TO_END.lastIndex = at
  UP_TO_END.test(row)
  const end = UP_TO_END.lastIndex
  return row[end] === '\n' && end > at && row[end - 1] === '\r' ? end - 1 : end
}
const UP_TO_END = /[^,\n]*/y

/**
 * Returns the quote that ends a cell, given the position of its opening quote. A doubled quote is text; if no single quote ends the cell,
 * the second quote of the last such pair before a comma or row end does.
 */
function endingQuote(row: string, at: number): number {
  let second = -1
  for (let quote = row.indexOf('"', at + 1); quote !== -1; quote = row.indexOf('"', quote + 1)) {
    const is_doubled = row[quote + 1] === '"'
    if (is_doubled) quote++
    if (!endsAt(row, quote + 1)) continue
    if (!is_doubled) return quote
    second = quote
  }
  return second
}

function lastEndingQuote(row: string): number {
  let quote = row.lastIndexOf('"')
  while (quote > 0 && !endsAt(row, quote + 1)) quote = row.lastIndexOf('"', quote - 1)
  return quote
}

/** Whether a comma, the end of the row or the end of the text is at a position. */
function endsAt(row: string, at: number): boolean {
  return at === row.length || row[at] === ',' || row[at] === '\n' || (row[at] === '\r' && row[at + 1] === '\n')
}
