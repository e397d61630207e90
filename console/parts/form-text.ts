/** What stands in a field of a form; null where nothing does. */
export function textOf(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** What of a form differs from what it was begun from: what somebody else changed meanwhile stays theirs. */
export function changedOf<Of extends object>(begun: Partial<Of>, form: Of): Partial<Of> {
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(begun[name as keyof Of])
  return Object.fromEntries(Object.entries(form).filter(differs)) as Partial<Of>
}

/** Which of a closed set was chosen in a field of a form; null where none of them was. */
export function choiceOf<Key extends string>(form: FormData, name: string, words: Record<Key, string>): Key | null {
  return (Object.keys(words) as Key[]).find((key) => key === form.get(name)) ?? null
}

/** Tags in a field of a form, separated by commas. */
export function tagsOf(form: FormData, name: string): string[] {
  return (textOf(form, name) ?? '').split(',').flatMap((tag) => tag.trim() || [])
}
