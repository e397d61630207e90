import type { Faults } from '#domain/check.ts'

/** Control characters, NUL among them, and halves of surrogate pairs: no text that is printed on one line holds them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
/** In a text of several lines, line ends and tabs may stand. */
const UNPRINTABLE_IN_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}]/u

export interface TextBounds {
  /** Characters, not bytes; 0 where not said. */
  min?: number
  max: number
  /** True for a text of several lines. */
  lines?: boolean
}

/**
 * Judges a text of a body and trims it; null where the fault is noted. `name` is what a sentence calls the field.
 */
export function checkText(
  sent: unknown,
  field: string,
  { min = 0, max, lines = false }: TextBounds,
  faults: Faults,
  name = field.replaceAll('_', ' '),
): string | null {
  if (typeof sent !== 'string') {
    faults.add(field, `The ${name} must be text.`)
    return null
  }
  const text = sent.trim()
  const unprintable = lines ? UNPRINTABLE_IN_LINES : UNPRINTABLE
  const length = [...text].length
  const fits =
    faults.unless(!unprintable.test(text), field, `The ${name} must not hold control characters.`) &&
    faults.unless(length >= min && length <= max, field, boundsIn(name, min, max))
  return fits ? text : null
}

function boundsIn(name: string, min: number, max: number): string {
  return min > 0 ? `The ${name} must have ${min} to ${max} characters.` : `The ${name} must have at most ${max} characters.`
}
