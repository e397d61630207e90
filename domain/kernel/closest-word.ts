/** Less like, another word is meant: `start` is like `window_start` (0.53), `colour` is not like `layout` (0.2). */
const LIKENESS_MIN = 0.4

/** The known word that is most like another by the pairs of letters that they share; null where none is like it. */
export function closestWord(word: string, known: readonly string[]): string | null {
  const [best] = known
    .map((candidate) => ({ candidate, likeness: likenessOf(word, candidate) }))
    .filter(({ likeness }) => likeness >= LIKENESS_MIN)
    .sort((a, b) => b.likeness - a.likeness)
  return best?.candidate ?? null
}

/** The coefficient of Sørensen and Dice over pairs of neighbouring letters: 1 for the same word, 0 where they share none. */
function likenessOf(one: string, other: string): number {
  const [ones, others] = [pairsOf(one), pairsOf(other)]
  const shared = ones.filter((pair) => others.includes(pair)).length
  return shared === 0 ? 0 : (2 * shared) / (ones.length + others.length)
}

/** Of more letters than any known word has, the first alone. */
const LETTERS_MAX = 60

function pairsOf(word: string): string[] {
  const letters = word.toLowerCase().slice(0, LETTERS_MAX)
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2))
}
