import { type GraphQLArgument, GraphQLBoolean, GraphQLFloat, type GraphQLInputType, GraphQLInt, getNullableType, isListType } from 'graphql'
import { INT4_MAX } from '#domain/kernel/int4.ts'
import { declaredType } from '#graphql/arguments.ts'

export interface Bound {
  /** As sent, with explicit nulls: the domain validates types and values together. */
  args: Record<string, unknown>
  /** Keys of the body that match no argument. */
  unknown: Record<string, unknown>
}

interface RequestParts {
  path: Record<string, string>
  /** Query of a GET or DELETE. Its texts are converted to the type of the argument. */
  query: Record<string, string | string[]> | null
  /** Body of a POST or PATCH, with its JSON types. */
  body: Record<string, unknown> | null
}

/** Binds a request to the arguments of an operation. */
export function bindArguments(declaredArgs: readonly GraphQLArgument[], { path, query, body }: RequestParts): Bound {
  const texts = query && withoutBrackets(query)
  const args: Record<string, unknown> = {}
  for (const argument of declaredArgs) {
    const { name } = argument
    const text = path[name] ?? texts?.[name]
    const value = text === undefined ? ownValue(body, name) : readText(text, declaredType(argument))
    if (value !== undefined) args[name] = value
  }
  return { args, unknown: body === null ? {} : unknownOf(declaredArgs, path, body) }
}

function unknownOf(
  declaredArgs: readonly GraphQLArgument[],
  path: RequestParts['path'],
  body: Record<string, unknown>,
): Record<string, unknown> {
  const known = new Set(declaredArgs.map(({ name }) => name).filter((name) => path[name] === undefined))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !known.has(name)))
}

/** `status[]=done` and `status[0]=done` mean `status`, sent as a list; of several, the last counts. */
function withoutBrackets(query: Record<string, string | string[]>): Record<string, string | string[]> {
  const lists = Object.keys(query).filter((name) => name.includes('['))
  if (lists.length === 0) return query
  return { ...query, ...Object.fromEntries(lists.map((name) => [name.slice(0, name.indexOf('[')), [query[name] ?? ''].flat()])) }
}

function ownValue(body: Record<string, unknown> | null, name: string): unknown {
  return body !== null && Object.hasOwn(body, name) ? body[name] : undefined
}

/** Reads a text as the JSON value that it represents. Other text stays as it is, so that the domain reports it. */
function readText(text: string | string[], type: GraphQLInputType): unknown {
  const declared = getNullableType(type)
  if (isListType(declared)) return [text].flat().map((item) => readText(item, declared.ofType))
  if (Array.isArray(text)) return text
  if (declared === GraphQLInt) return readInteger(text)
  if (declared === GraphQLFloat) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (declared === GraphQLBoolean) return booleans.get(text) ?? text
  return text
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Clamps an integer to the range of the type: a page that far is empty, and such a page size is clamped anyway. */
function readInteger(text: string): number | string {
  return /^-?\d+$/.test(text) ? Math.min(Math.max(Number(text), -INT4_MAX - 1), INT4_MAX) : text
}
