import { type FieldErrors, Refusal } from '#domain/kernel/refusal.ts'
import { pluralize } from '#domain/kernel/text.ts'

/** Collects the faults of one input, so that the caller sees all of them at once. */
export interface Faults {
  /** Adds the sentence under the field unless the condition is true; returns the condition. */
  unless(condition: boolean, field: string, sentence: string): boolean
  add(field: string, sentence: string): void
  readonly found: FieldErrors
  /** Throws one 422 with every fault collected so far; does nothing if there is none. */
  refuse(): void
}

/** Collects faults of fields, so that one response names all of them. */
export function gatherFaults(): Faults {
  // Inherits nothing: a field may be called constructor or __proto__, which would not become a key of other objects.
  const found: FieldErrors = Object.create(null)
  const add = (field: string, sentence: string) => {
    found[field] = [...(found[field] ?? []), sentence]
  }
  return {
    found,
    add,
    unless(condition, field, sentence) {
      if (!condition) add(field, sentence)
      return condition
    },
    refuse() {
      if (Object.keys(found).length > 0) throw validationFailed(found)
    },
  }
}

/** Returns the 422 of the contract: its message is the first sentence and the number of further ones. */
export function validationFailed(errors: FieldErrors): Refusal {
  const sentences = Object.values(errors).flat()
  const more = sentences.length - 1
  const tail = more === 0 ? '' : ` (and ${pluralize(more, 'more error')})`
  return new Refusal('validation_failed', `${sentences[0]}${tail}`, { errors })
}

/** Joins all sentences in one line, for a row that has no `errors`. */
export function allOf(errors: FieldErrors): string {
  return Object.values(errors).flat().join(' ')
}

/** Throws a 422 for a single fault. */
export function refuseField(field: string, sentence: string): never {
  throw validationFailed({ [field]: [sentence] })
}

/** Whether a value belongs to a closed set. */
export function isOneOf<const Member>(members: readonly Member[], value: unknown): value is Member {
  return members.some((member) => member === value)
}

/** Whether a text is a calendar date, YYYY-MM-DD; the year 0 does not exist, and no column can store it. */
export function isDate(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
}

/** Whether a text has the format of the ids of reports, properties, territories, destinations and deliveries. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
