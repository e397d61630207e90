import {
  type GraphQLArgument,
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { type Faults, gatherFaults } from '#domain/check.ts'
import type { FieldErrors } from '#domain/refusal.ts'

export interface Bound {
  /** As the operation takes them; explicit nulls kept, unknown keys left out. */
  args: Record<string, unknown>
  /** Empty when every argument fits. */
  faults: FieldErrors
}

interface Sent {
  path: Record<string, string>
  /** Of a GET or DELETE, whose texts are read as the argument's type. */
  query: Record<string, string | string[]> | null
  /** Of a POST or PATCH, taken as JSON types. */
  body: Record<string, unknown> | null
}

/**
 * Binds what was sent to the arguments of an operation, by the types of the schema.
 * Keys that no argument takes are ignored: a client of a later version is understood.
 */
export function bindArguments(taken: readonly GraphQLArgument[], { path, query, body }: Sent): Bound {
  const faults = gatherFaults()
  const args: Record<string, unknown> = {}
  for (const { name, type, defaultValue } of taken) {
    const text = path[name] ?? query?.[name]
    const value = text === undefined ? body?.[name] : readText(text, type, name, faults)
    if (faults.found[name] || (value === undefined && defaultValue !== undefined)) continue
    const fitted = fit(value, type, name, faults)
    if (fitted !== undefined) args[name] = fitted
  }
  return { args, faults: faults.found }
}

/** Checks a JSON value against a type; the value comes back without the keys that the type does not know. */
function fit(value: unknown, type: GraphQLInputType, field: string, faults: Faults): unknown {
  if (isNonNullType(type)) {
    if (faults.unless(value !== undefined && value !== null, field, `The ${labelOf(field)} is required.`))
      return fit(value, type.ofType, field, faults)
    return undefined
  }
  if (value === undefined || value === null) return value
  if (isListType(type)) {
    if (!Array.isArray(value)) return void faults.add(field, `The ${labelOf(field)} must be a list.`)
    return value.map((item, index) => fit(item, type.ofType, `${field}.${index}`, faults) ?? null)
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value)) return void faults.add(field, `The ${labelOf(field)} must be an object.`)
    const known = Object.values(type.getFields()).map(({ name, type: inner, defaultValue }) => {
      const part = (value as Record<string, unknown>)[name]
      return [name, part === undefined && defaultValue !== undefined ? undefined : fit(part, inner, `${field}.${name}`, faults)] as const
    })
    return Object.fromEntries(known.filter(([, part]) => part !== undefined))
  }
  return fitLeaf(value, type, field, faults)
}

/** The value stays as it was sent: the operation reads it once more, by the same type. */
function fitLeaf(value: unknown, type: GraphQLLeafType, field: string, faults: Faults): unknown {
  if (!keepable(value, field, faults)) return undefined
  try {
    type.parseValue(value)
    return value
  } catch (error) {
    return void faults.add(field, `The ${labelOf(field)} ${demandOf(type, error)}.`)
  }
}

/** Names, by its path, every text within the value that no column can keep. */
function keepable(value: unknown, field: string, faults: Faults): boolean {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) faults.add(field, `The ${labelOf(field)} must not hold a NUL character.`)
    else if (/\p{Surrogate}/u.test(value)) faults.add(field, `The ${labelOf(field)} must not hold half a character.`)
    else return true
    return false
  }
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value)
    .map(([key, part]) => keepable(key, field, faults) && keepable(part, `${field}.${key}`, faults))
    .every(Boolean)
}

/** A leaf's demand in words, to follow "The window start". */
function demandOf(type: GraphQLLeafType, error: unknown): string {
  if (isEnumType(type))
    return `must be one of ${type
      .getValues()
      .map(({ name }) => name)
      .join(', ')}`
  return demands[type.name] ?? (error as Error).message
}

const demands: Record<string, string> = {
  Int: 'must be a whole number',
  Float: 'must be a number',
  Boolean: 'must be true or false',
  String: 'must be text',
  ID: 'must be an id',
}

/** Reads a query text as the JSON value it stands for; what it cannot be is left as it is, for `fit` to name. */
function readText(text: string | string[] | undefined, type: GraphQLInputType, field: string, faults: Faults): unknown {
  if (isNonNullType(type)) return readText(text, type.ofType, field, faults)
  if (text === undefined) return undefined
  if (isListType(type)) return [text].flat().map((item) => readText(item, type.ofType, field, faults))
  if (Array.isArray(text)) return void faults.add(field, `The ${labelOf(field)} must be given once.`)
  if (type === GraphQLInt) return readWhole(text)
  if (type === GraphQLFloat) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (type === GraphQLBoolean) return booleans[text] ?? text
  return text
}

const booleans: Record<string, boolean> = { true: true, 1: true, false: false, 0: false }

const INT4 = { min: -2_147_483_648, max: 2_147_483_647 }

/** A whole number beyond the type's reach becomes its end: a page that far is empty, a size that large is clamped. */
function readWhole(text: string): number | string {
  return /^-?\d+$/.test(text) ? Math.min(Math.max(Number(text), INT4.min), INT4.max) : text
}

/** `reports.3.window_start` -> `window start`. */
function labelOf(field: string): string {
  const named = field.split('.').filter((part) => !/^\d+$/.test(part))
  return (named.at(-1) ?? field).replaceAll('_', ' ')
}
