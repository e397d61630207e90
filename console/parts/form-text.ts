/** What stands in a field of a form; null where nothing does. */
export function textOf(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Which of a closed set was chosen in a field of a form; null where none of them was. */
export function choiceOf<Key extends string>(form: FormData, name: string, words: Record<Key, string>): Key | null {
  return (Object.keys(words) as Key[]).find((key) => key === form.get(name)) ?? null
}

/** Tags in a field of a form, separated by commas. */
export function tagsOf(form: FormData, name: string): string[] {
  return (textOf(form, name) ?? '').split(',').flatMap((tag) => tag.trim() || [])
}
