import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

export type Kind = 'query' | 'mutation'

/** The fields of a schema's roots, and a document that requests one of them. */
export interface Roots {
  query: Record<string, GraphQLField<unknown, unknown>>
  mutation: Record<string, GraphQLField<unknown, unknown>>
  /** Only the name of each: a test runner that prints a field would print the whole schema. */
  names: [Kind, string][]
  /** Returns a document that requests a field with arguments of the right types. */
  documentOf(kind: Kind, name: string): string
}

/** @param text the value of every text argument: by default nothing that exists */
export function rootsOf(schema: GraphQLSchema, text: string): Roots {
  const root = { query: schema.getQueryType()?.getFields() ?? {}, mutation: schema.getMutationType()?.getFields() ?? {} }
  const kinds = Object.keys(root) as Kind[]
  return {
    ...root,
    names: kinds.flatMap((kind) => Object.keys(root[kind]).map((name): [Kind, string] => [kind, name])),
    documentOf(kind, name) {
      const field = root[kind][name] as GraphQLField<unknown, unknown>
      const args = field.args.filter(({ type }) => isNonNullType(type)).map((one) => `${one.name}: ${literalOf(one.type, text)}`)
      const selected = isObjectType(getNamedType(field.type)) ? '{ __typename }' : ''
      return `${kind} { ${name}${args.length ? `(${args.join(', ')})` : ''} ${selected} }`
    },
  }
}

const samples: Record<string, string> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  Date: '"2020-01-01"',
  UUID: '"00000000-0000-4000-8000-000000000000"',
}

function literalOf(type: GraphQLInputType, text: string): string {
  const named = getNamedType(type)
  const inner = isNonNullType(type) ? type.ofType : type
  const value = isEnumType(named)
    ? named.getValues()[0]?.name
    : isInputObjectType(named)
      ? `{ ${Object.values(named.getFields())
          .filter((one) => isNonNullType(one.type))
          .map((one) => `${one.name}: ${literalOf(one.type, text)}`)
          .join(', ')} }`
      : (samples[named.name] ?? JSON.stringify(text))
  return isListType(inner) ? `[${value}]` : String(value)
}
