import { INT4_MAX } from '#domain/kernel/int4.ts'
import { type Faults, gatherFaults, isDate, isUuid } from '#domain/kernel/validation.ts'

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Record<string, unknown>

/** One input field: its check, its JSON Schema and its bounds in words, all from one definition. */
export interface Field<Value> {
  /** The subject of every sentence about it: "The watch radius". */
  name: string
  schema: JsonSchema
  /** Its bounds in words, for descriptions: "0.5 to 10 miles". */
  bounds?: string
  /** The sentence for a required field that was not sent; "The name is required." by default. */
  missing?: string
  /** Checks the value that was sent; if it is invalid, adds the reason under the path and returns null. */
  read(sent: unknown, path: string, faults: Faults): Value | null
}

/** Control characters, including NUL, and lone surrogates: no single-line text may have them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
/** A text of several lines may have line ends and tabs. */
const UNPRINTABLE_IN_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}]/u

export interface TextBounds {
  /** Characters, not bytes, without surrounding white space; 0 by default. */
  min?: number
  /** Characters as sent. */
  max: number
  /** True for a text of several lines. */
  lines?: boolean
  /** True if the text is kept as sent: surrounding white space, and accents in either form of Unicode. */
  verbatim?: boolean
}

/** A text, trimmed and in Unicode's form NFC unless verbatim: some keyboards and file systems send an accent as a letter of its own. */
export function text(name: string, { min = 0, max, lines = false, verbatim = false }: TextBounds): Field<string> {
  const bounds = `${min > 0 ? `${min} to` : 'at most'} ${max} characters`
  return {
    name,
    bounds,
    schema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max },
    read: single(name, (sent, refuse) => {
      if (typeof sent !== 'string') return refuse(`${name} must be text.`)
      const trimmed = sent.trim()
      const kept = verbatim ? sent : trimmed.normalize('NFC')
      if ((lines ? UNPRINTABLE_IN_LINES : UNPRINTABLE).test(kept)) return refuse(`${name} must not contain control characters.`)
      if (lengthOf(trimmed) < min || Math.max(lengthOf(sent), lengthOf(kept)) > max) return refuse(`${name} must have ${bounds}.`)
      return kept
    }),
  }
}

export interface NumberBounds {
  min: number
  /** No maximum by default. */
  max?: number
  /** Unit in words: "miles". */
  unit: string
  /** Decimals that are kept; all by default. */
  decimals?: number
}

/** A number with a unit: "The radius must be 1 to 100 miles." */
export function number(name: string, { min, max, unit, decimals }: NumberBounds): Field<number> {
  const bounds = max === undefined ? `${min} ${unit} or more` : `${min} to ${max} ${unit}`
  return {
    name,
    bounds,
    schema: { type: 'number', minimum: min, ...(max !== undefined && { maximum: max }) },
    read: single(name, (sent, refuse) => {
      if (typeof sent !== 'number' || !Number.isFinite(sent)) return refuse(`${name} must be a number: ${bounds}.`)
      if (sent < min || sent > (max ?? sent)) return refuse(`${name} must be ${bounds}.`)
      return decimals === undefined ? sent : Number(sent.toFixed(decimals))
    }),
  }
}

/** A whole number that fits an integer column. */
export function wholeNumber(name: string, { min, max = INT4_MAX }: { min: number; max?: number }): Field<number> {
  const bounds = max === INT4_MAX ? `${min} or more` : `${min} to ${max}`
  return {
    name,
    bounds,
    schema: { type: 'integer', minimum: min, ...(max !== INT4_MAX && { maximum: max }) },
    read: single(name, (sent, refuse) => {
      if (typeof sent !== 'number' || !Number.isInteger(sent)) return refuse(`${name} must be a whole number, ${bounds}.`)
      return sent < min || sent > max ? refuse(`${name} must be ${bounds}.`) : sent
    }),
  }
}

/** True or false. */
export function flag(name: string): Field<boolean> {
  return {
    name,
    schema: { type: 'boolean' },
    read: single(name, (sent, refuse) => (typeof sent === 'boolean' ? sent : refuse(`${name} must be true or false.`))),
  }
}

/** One value of a closed set. @param unknown returns the sentence for any other value; by default it lists the set */
export function oneOf<const Value extends string>(
  name: string,
  values: readonly Value[],
  unknown: (sent: unknown) => string = () => `${name} must be one of ${values.join(', ')}.`,
): Field<Value> {
  return {
    name,
    schema: { type: 'string', enum: [...values] },
    read: single(name, (sent, refuse) => values.find((value) => value === sent) ?? refuse(unknown(sent))),
  }
}

/** A calendar date, YYYY-MM-DD. */
export function date(name: string): Field<string> {
  return {
    name,
    schema: { type: 'string', format: 'date' },
    read: single(name, (sent, refuse) =>
      typeof sent === 'string' && isDate(sent) ? sent : refuse(`${name} must be a date, written YYYY-MM-DD.`),
    ),
  }
}

/** Checks that the first day of a listing's range is not after the last. */
export function checkDays({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }, faults: Faults): void {
  faults.unless(!(from && to && from > to), 'to', 'The last day must be on or after the first.')
}

/** A timestamp with a required zone and up to nanoseconds. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/
const MICROSECOND_DIGITS = 6

/**
 * A timestamp with its zone, as UTC: PostgreSQL accepts fewer zones and hours than RFC 3339 allows. Truncated to microseconds and never
 * rounded up, because a cursor must not skip anything.
 */
export function moment(name: string): Field<string> {
  return {
    name,
    schema: { type: 'string', format: 'date-time' },
    read: single(name, (sent, refuse) => {
      const [, day = '', time = '', fraction = '', zone = ''] = MOMENT.exec(typeof sent === 'string' ? sent : '') ?? []
      const seconds = isDate(day) ? new Date(`${day}T${time}${zone}`) : null
      const utc = seconds && !Number.isNaN(seconds.getTime()) ? /^\d{4}-.{14}/.exec(seconds.toISOString())?.[0] : null
      if (!utc || !isDate(utc.slice(0, 10))) return refuse(`${name} must be a moment with its zone, such as 2026-05-20T12:00:00Z.`)
      return `${utc}${fraction && `.${fraction.slice(0, MICROSECOND_DIGITS)}`}Z`
    }),
  }
}

/** The UUID of a record, in lower case. @param noun "property": an invalid UUID is reported as the id of no property */
export function idOf(noun: string): Field<string> {
  return {
    name: `The ${noun}`,
    schema: { type: 'string', format: 'uuid' },
    read: single(`The ${noun}`, (sent, refuse) =>
      typeof sent === 'string' && isUuid(sent) ? sent.toLowerCase() : refuse(`There is no ${noun} with this id.`),
    ),
  }
}

export interface ListBounds {
  min?: number
  max?: number
  /** The sentence for too few or too many: "Choose at least one event." Required with a bound. */
  count?: string
}

/** Items of a list that are named as faulty: a body of 1 MiB can have 200,000, and naming each would take seconds and 50 MB. */
const REFUSED_ITEMS_MAX = 100

/** A list, each item checked under its own path, until too many are refused. */
export function list<Item>(name: string, item: Field<Item>, { min = 0, max, count = '' }: ListBounds = {}): Field<Item[]> {
  const bounds = [countOf(min, max), item.bounds && `each ${item.bounds}`].filter(Boolean).join(', ')
  return {
    name,
    ...(bounds && { bounds }),
    ...(count && { missing: count }),
    schema: { type: 'array', ...(min > 0 && { minItems: min }), ...(max !== undefined && { maxItems: max }), items: item.schema },
    read(sent, path, faults) {
      if (!Array.isArray(sent)) return note(faults, path, `${name} must be a list.`)
      if (sent.length < min || sent.length > (max ?? sent.length)) return note(faults, path, count)
      const items: Item[] = []
      let refused = 0
      for (const [index, value] of sent.entries()) {
        const within = gatherFaults()
        items.push(item.read(value, `${path}.${index}`, within) as Item)
        const found = Object.entries(within.found)
        for (const [at, sentences] of found) for (const sentence of sentences) faults.add(at, sentence)
        if (found.length > 0 && ++refused === REFUSED_ITEMS_MAX) break
      }
      return refused > 0 ? null : items
    },
  }
}

function countOf(min: number, max: number | undefined): string | null {
  if (max === undefined) return min > 0 ? `at least ${min}` : null
  return min > 0 ? `${min} to ${max}` : `at most ${max}`
}

/** The same field with its value converted after the check. */
export function mapped<Value, Changed>(field: Field<Value>, change: (value: Value) => Changed): Field<Changed> {
  return {
    ...field,
    read(sent, path, faults) {
      const value = field.read(sent, path, faults)
      return value === null ? null : change(value)
    },
  }
}

/** A value that is checked later, by code that knows the rules for it. */
export function checkedLater(name: string, schema: JsonSchema): Field<unknown> {
  return { name, schema, read: (sent) => sent }
}

/** Rejects a value with a sentence. */
type Refuse = (sentence: string) => null

/** The check of a field that takes one value, not a list. */
export function single<Value>(name: string, check: (sent: unknown, refuse: Refuse) => Value | null): Field<Value>['read'] {
  return (sent, path, faults) => {
    const refuse = (sentence: string) => note(faults, path, sentence)
    return Array.isArray(sent) ? refuse(`${name} must be one value, not a list.`) : check(sent, refuse)
  }
}

function note(faults: Faults, path: string, sentence: string): null {
  faults.add(path, sentence)
  return null
}

function lengthOf(text: string): number {
  return [...text].length
}
