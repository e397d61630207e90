/** Reads a text from its beginning, piece by piece. */
export interface Reader {
  /** Reads a pattern that matches here and returns its groups; null if it does not match. */
  take(pattern: RegExp): readonly (string | undefined)[] | null
  /**
   * Like `take`, for a required pattern.
   * @throws Error with the text found instead
   */
  need(pattern: RegExp): readonly (string | undefined)[]
  isAtEnd(): boolean
}

export function openReader(text: string): Reader {
  let at = 0
  const take = (pattern: RegExp) => {
    const here = new RegExp(pattern.source, 'y')
    here.lastIndex = at
    const found = here.exec(text)
    if (found) at = here.lastIndex
    return found
  }
  return {
    take,
    need(pattern) {
      const found = take(pattern)
      if (!found) throw new Error(`cannot be read: "${text.slice(at, at + 80)}"`)
      return found
    },
    isAtEnd: () => at === text.length,
  }
}
