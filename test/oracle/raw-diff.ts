/** Compares two compiles of a details file, row by row, with a reader that is independent of the service. */

type Row = Record<string, string>

/** Rows of a CSV by their EVENT_ID. A quote inside quotes is doubled; a line end inside quotes belongs to the value. */
function rowsOf(text: string): Map<string, Row> {
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character !== '"') value += character
      else if (text[at + 1] === '"') value += text[++at]
      else quoted = false
    } else if (character === '"') quoted = true
    else if (character === ',') {
      row.push(value)
      value = ''
    } else if (character === '\n') {
      rows.push([...row, value])
      row = []
      value = ''
    } else if (character !== '\r') value += character
  }
  const [columns = [], ...records] = rows
  const named = records.map((cells): Row => Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])))
  return new Map(named.map((record) => [record.EVENT_ID ?? '', record]))
}

/** Ids of rows, and for changed rows their columns. */
export interface RawDiff {
  came: string[]
  went: string[]
  changed: Record<string, string[]>
}

export function rawDiff(before: string, after: string): RawDiff {
  const [old, fresh] = [rowsOf(before), rowsOf(after)]
  const changed: RawDiff['changed'] = {}
  for (const [id, row] of fresh) {
    const was = old.get(id)
    const columns = was ? Object.keys(row).filter((column) => row[column] !== was[column]) : []
    if (columns.length > 0) changed[id] = columns
  }
  return {
    came: [...fresh.keys()].filter((id) => !old.has(id)),
    went: [...old.keys()].filter((id) => !fresh.has(id)),
    changed,
  }
}
