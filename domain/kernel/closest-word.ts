/** Below this likeness a different word is meant: `start` is like `window_start` (0.53), `colour` is not like `layout` (0.2). */
const LIKENESS_MIN = 0.4

/** Returns the known word that shares the most pairs of letters with the given one; null if none is similar enough. */
export function closestWord(word: string, known: readonly string[], likeness_min = LIKENESS_MIN): string | null {
  const [best] = known
    .map((candidate) => ({ candidate, likeness: likenessOf(word, candidate) }))
    .filter(({ likeness }) => likeness >= likeness_min)
    .sort((a, b) => b.likeness - a.likeness)
  return best?.candidate ?? null
}

/** Sørensen–Dice coefficient over pairs of neighbouring letters: 1 for the same word, 0 for no shared pair. */
function likenessOf(one: string, other: string): number {
  const [ones, others] = [pairsOf(one), pairsOf(other)]
  const shared = ones.filter((pair) => others.includes(pair)).length
  return shared === 0 ? 0 : (2 * shared) / (ones.length + others.length)
}

/** Only the first letters of a long text are compared; no known word is longer. */
const LETTERS_MAX = 60

function pairsOf(word: string): string[] {
  const letters = word.toLowerCase().slice(0, LETTERS_MAX)
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2))
}
