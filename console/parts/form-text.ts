/** Returns the text of a form field; null if it is blank. */
export function textOf(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Returns the values of a form that differ from its initial ones, so that fields that somebody else changed in the meantime stay. */
export function changedOf<Of extends object>(initial: Partial<Of>, form: Of): Partial<Of> {
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(initial[name as keyof Of])
  return Object.fromEntries(Object.entries(form).filter(differs)) as Partial<Of>
}

/** Returns the value of a form field if it is one of a closed set; otherwise null. */
export function choiceOf<Key extends string>(form: FormData, name: string, words: Record<Key, string>): Key | null {
  return (Object.keys(words) as Key[]).find((key) => key === form.get(name)) ?? null
}

/** Returns the tags in a form field, separated by commas. One that contains a comma is in quotation marks, and its own marks are doubled. */
export const tagsOf = (form: FormData, name: string): string[] =>
  (textOf(form, name)?.match(/\s*"(?:[^"]|"")*"\s*(?=,|$)|[^,]+/g) ?? []).flatMap((part) => unquoted(part.trim()) || [])

const unquoted = (tag: string) => (/^".*,.*"$/.test(tag) ? tag.slice(1, -1).replaceAll('""', '"').trim() : tag)

const partsOf = (text: string) => text.split(',').flatMap((tag) => tag.trim() || [])

/** Returns the tags in a form field that began with these. One that contains a comma stays whole, unless its own text was changed. */
export function changedTagsOf(form: FormData, name: string, before: readonly string[]): string[] {
  const withComma = before.filter((tag) => partsOf(tag).length > 1)
  const tags: string[] = []
  let parts = partsOf(textOf(form, name) ?? '')
  while (parts.length > 0) {
    const whole = withComma.find((tag) => !tags.includes(tag) && partsOf(tag).every((part, at) => part === parts[at]))
    tags.push(whole ?? (parts[0] as string))
    parts = parts.slice(whole ? partsOf(whole).length : 1)
  }
  return tags
}
