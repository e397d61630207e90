import { closestWord } from '#domain/kernel/closest-word.ts'
import type { Field, JsonSchema } from '#domain/kernel/fields.ts'
import { withoutUnprintable } from '#domain/kernel/printable.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** A field of a form. */
export interface FormField<Value> extends Field<Value> {
  /** Whether it must be sent on creation. */
  required?: boolean
  /** Whether null in an update clears it. */
  clearable?: boolean
  /** Default value on creation. */
  preset?: Value
}

/** The fields of a body or the filters of a listing, by name. */
// biome-ignore lint/suspicious/noExplicitAny: a form is of any values until its own are inferred
export type Form = Record<string, FormField<any>>

export type ValuesOf<Of extends Form> = { [Name in keyof Of]: Of[Name] extends FormField<infer Value> ? Value : never }

/** A body or a query as sent: values of any type may arrive, and each is checked. */
export type Sent<Of extends Form> = { [Name in keyof Of]?: unknown }

export const required = <Value>(field: Field<Value>): FormField<Value> => ({ ...field, required: true })
export const optional = <Value>(field: Field<Value>): FormField<Value | undefined> => ({ ...field })
export const preset = <Value>(field: Field<Value>, value: NoInfer<Value>): FormField<Value> => ({ ...field, preset: value })
export const clearable = <Value>(field: Field<Value>): FormField<Value | null> => ({ ...field, clearable: true, preset: null })

/**
 * Reads the body of a creation or the filters of a listing: null is the same as not sent. Use the result only if no fault
 * was added.
 * @param within the path of the body in a larger one, with a trailing dot
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

/** Returns the sentence for a required field that was not sent. */
export function missing(field: Field<unknown>): string {
  return field.missing ?? `${field.name} is required.`
}

/** Reads the body of an update: fields that were not sent are absent, and null clears a clearable field. */
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

/** Unknown keys, or values of a list, that are reported: a body with thousands of them is not echoed to its sender. */
export const UNKNOWN_MAX = 10
/** Characters of a sent value that a sentence repeats. */
const SHOWN_MAX = 40

/** Reports every key that the form does not have, with the closest known key: for requests that cost something. */
export function refuseUnknown(form: object, input: object, faults: Faults, within = ''): void {
  const known = Object.keys(form)
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(form, key))
  for (const key of unknown.slice(0, UNKNOWN_MAX)) {
    const nearest = closestWord(key, known)
    const hint = nearest ? `did you mean ${nearest}?` : `the fields are ${known.join(', ')}.`
    faults.add(`${within}${printableExcerpt(key)}`, `There is no field called ${printableExcerpt(key)}: ${hint}`)
  }
}

/** Returns a sent value in a form that is safe to print in a sentence and to store. */
export function printableExcerpt(sent: unknown): string {
  if (typeof sent !== 'string') return 'that'
  const printable = [...withoutUnprintable(sent)].slice(0, SHOWN_MAX).join('')
  return printable.trim() === '' ? 'that' : printable
}

/** Returns the form as JSON Schema: with defaults for a creation, with nothing required for an update. */
export function schemaOfForm(form: Form, kind: 'new' | 'change', more: JsonSchema = {}): JsonSchema {
  const required = Object.keys(form).filter((name) => kind === 'new' && form[name]?.required)
  const properties = Object.entries(form).map(([name, field]) => [name, schemaOfField(field, kind)])
  return { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties), ...more }
}

/** Returns the schema of one field. Null is allowed if it counts as not sent, or clears the field. */
export function schemaOfField(field: FormField<unknown>, kind: 'new' | 'change'): JsonSchema {
  const takesNull = kind === 'new' ? !field.required : field.clearable === true
  const schema = takesNull ? orNull(field.schema) : field.schema
  return kind === 'new' && field.preset != null ? { ...schema, default: field.preset } : schema
}

/** Returns the same schema with null allowed. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type) && schema.type.includes('null')) return schema
  if (Array.isArray(schema.enum)) return { ...schema, type: [schema.type, 'null'], enum: [...schema.enum, null] }
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}
