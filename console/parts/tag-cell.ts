/** Returns tags as a cell of a table: separated by semicolons, or as a JSON list if that would divide one of them. */
export function tagCell(tags: readonly string[]): string {
  return tags.some((tag) => tag.startsWith('[') || tag.includes(';')) ? JSON.stringify(tags) : tags.join('; ')
}

/** Returns the tags of such a cell. The exports of the service write a JSON list. */
export function tagsIn(cell: string): string[] {
  return listIn(cell) ?? cell.split(';').flatMap((tag) => tag.trim() || [])
}

/** Null if the text is not a JSON list of texts. */
function listIn(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null
  } catch {
    return null
  }
}
