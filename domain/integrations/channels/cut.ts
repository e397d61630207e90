/** Cuts a text that a chat product would reject to its first characters. The mark at the end shows that something is left out. */
export function cut(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
