import { closestWord } from '#domain/kernel/closest-word.ts'
import type { Field, JsonSchema } from '#domain/kernel/fields.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** A field as a form takes it. */
export interface FormField<Value> extends Field<Value> {
  /** Whether something new must have it. */
  required?: boolean
  /** Whether null in a change empties it. */
  clearable?: boolean
  /** What something new has where nothing was sent. */
  preset?: Value
}

/** The fields of a body, or the filters of a listing, by name. */
// biome-ignore lint/suspicious/noExplicitAny: a form is of any values until its own are inferred
export type Form = Record<string, FormField<any>>

export type ValuesOf<Of extends Form> = { [Name in keyof Of]: Of[Name] extends FormField<infer Value> ? Value : never }

/** A body or a query as sent: every value is judged, so values of any type may arrive. */
export type Sent<Of extends Form> = { [Name in keyof Of]?: unknown }

export const required = <Value>(field: Field<Value>): FormField<Value> => ({ ...field, required: true })
export const optional = <Value>(field: Field<Value>): FormField<Value | undefined> => ({ ...field })
export const preset = <Value>(field: Field<Value>, value: NoInfer<Value>): FormField<Value> => ({ ...field, preset: value })
export const clearable = <Value>(field: Field<Value>): FormField<Value | null> => ({ ...field, clearable: true, preset: null })

/**
 * Reads the body of something new, or the filters of a listing: null is the same as not sent. To be used where no fault was
 * noted.
 * @param within the path of the body in a larger one, with a dot at its end
 */
export function readNew<Of extends Form>(
  form: Of,
  input: Sent<Of> | Readonly<Record<string, unknown>>,
  faults: Faults,
  within = '',
): ValuesOf<Of> {
  const values = Object.entries(form).map(([name, field]) => [name, readField(field, input[name], `${within}${name}`, faults)])
  return Object.fromEntries(values)
}

function readField<Value>(field: FormField<Value>, sent: unknown, path: string, faults: Faults): Value | undefined | null {
  const absent = sent === undefined || sent === null
  if (field.required && (absent || (typeof sent === 'string' && sent.trim() === ''))) return void faults.add(path, missing(field))
  return absent ? field.preset : field.read(sent, path, faults)
}

/** What is said where the field is needed and was not sent. */
export function missing(field: Field<unknown>): string {
  return field.missing ?? `${field.name} is required.`
}

/** Reads the body of a change: what was not sent is not there, and null empties what may be empty. */
export function readChanges<Of extends Form>(form: Of, input: Sent<Of>, faults: Faults): Partial<ValuesOf<Of>> {
  const values = Object.entries(form).flatMap(([name, field]) => {
    const sent: unknown = input[name]
    if (sent === undefined) return []
    if (sent !== null) return [[name, field.read(sent, name, faults)]]
    faults.unless(field.clearable === true, name, `${field.name} cannot be cleared.`)
    return [[name, null]]
  })
  return Object.fromEntries(values)
}

/** Unknown keys that are named: a body of thousands is not read back to its sender. */
const UNKNOWN_MAX = 10
/** Characters of what was sent that a sentence repeats. */
const SHOWN_MAX = 40

/** Notes every key that the form does not have, with the one that is nearest: for bodies that cost something. */
export function refuseUnknown(form: Form, input: object, faults: Faults, within = ''): void {
  const known = Object.keys(form)
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(form, key))
  for (const key of unknown.slice(0, UNKNOWN_MAX)) {
    const nearest = closestWord(key, known)
    const hint = nearest ? `did you mean ${nearest}?` : `the fields are ${known.join(', ')}.`
    faults.add(`${within}${shown(key)}`, `There is no field called ${shown(key)}: ${hint}`)
  }
}

/** What was sent, fit to stand in a sentence and to be stored with it. */
export function shown(sent: unknown): string {
  if (typeof sent !== 'string') return 'that'
  const printable = [...sent.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')].slice(0, SHOWN_MAX).join('')
  return printable.trim() === '' ? 'that' : printable
}

/** What may be sent as JSON Schema: of something new with its presets, of a change with nothing required. */
export function schemaOfForm(form: Form, kind: 'new' | 'change', more: JsonSchema = {}): JsonSchema {
  const required = Object.keys(form).filter((name) => kind === 'new' && form[name]?.required)
  const properties = Object.entries(form).map(([name, field]) => [name, schemaOfField(field, kind)])
  return { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties), ...more }
}

/** One field of it. Null may be sent where it is read as not sent, or empties. */
export function schemaOfField(field: FormField<unknown>, kind: 'new' | 'change'): JsonSchema {
  const takesNull = kind === 'new' ? !field.required : field.clearable === true
  const schema = takesNull ? orNull(field.schema) : field.schema
  return kind === 'new' && field.preset != null ? { ...schema, default: field.preset } : schema
}

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type) && schema.type.includes('null')) return schema
  if (Array.isArray(schema.enum)) return { ...schema, type: [schema.type, 'null'], enum: [...schema.enum, null] }
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}
