import { type FieldErrors, Refusal } from '#domain/kernel/refusal.ts'

/** Gathers the faults of one input, so that a caller learns of all of them at once. */
export interface Faults {
  /** Notes the sentence under the field unless the condition holds; answers the condition. */
  unless(condition: boolean, field: string, sentence: string): boolean
  add(field: string, sentence: string): void
  readonly found: FieldErrors
  /** Throws one 422 with every fault gathered so far; does nothing when there is none. */
  refuse(): void
}

export function gatherFaults(): Faults {
  const found: FieldErrors = {}
  const add = (field: string, sentence: string) => {
    // A field may be called like a method that every object has.
    found[field] = [...(Object.hasOwn(found, field) ? (found[field] ?? []) : []), sentence]
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

/** The 422 of the contract: its message is the first field's sentence, and how many more there are. */
export function validationFailed(errors: FieldErrors): Refusal {
  const sentences = Object.values(errors).flat()
  const more = sentences.length - 1
  const tail = more === 0 ? '' : ` (and ${more} more error${more === 1 ? '' : 's'})`
  return new Refusal('validation_failed', `${sentences[0]}${tail}`, { errors })
}

/** Every sentence in one line, for a row that has no `errors`. */
export function allOf(errors: FieldErrors): string {
  return Object.values(errors).flat().join(' ')
}

/** Refuses a single fault at once. */
export function refuseField(field: string, sentence: string): never {
  throw validationFailed({ [field]: [sentence] })
}

/** Whether a value is of a closed set. */
export function isOneOf<const Member>(members: readonly Member[], value: unknown): value is Member {
  return members.some((member) => member === value)
}

/** Whether a text is a day of the calendar, YYYY-MM-DD; the year 0 is none, and no column holds it. */
export function isDate(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
}

/** Whether a text is written as the id of a report, a property, a territory, a destination or a delivery. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
