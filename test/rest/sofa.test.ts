import { createSchema } from 'graphql-yoga'
import { describe, expect, it } from 'vitest'
import { Refusal } from '#domain/kernel/refusal.ts'
import { endpoints } from '#rest/endpoints.ts'
import type { FieldEndpoint } from '#rest/exchange.ts'
import { operationsOf } from '#rest/sofa.ts'

const schema = createSchema({
  typeDefs: `
    type Place { id: Int!, name: String, tags: [String!]!, inner: Inner }
    type Inner { a: Int, b: Float }
    type Query { place(place: ID!, note: String): Place!, places(search: String!): [Place!]!, broken: Place! }
    type Mutation { save(name: String, count: Int): Place! }
  `,
  resolvers: {
    Query: {
      place: (_, { place, note }, { tag }: { tag?: string }) => ({
        id: Number(place),
        name: note === undefined ? 'absent' : note,
        tags: [tag],
        inner: { a: 1, b: null },
      }),
      places: async () => [{ id: 1, name: 'a', tags: [], inner: null }],
      broken: () => {
        throw new Refusal('not_found', 'There is no place with this id.')
      },
    },
    Mutation: { save: (_, args) => ({ id: 1, name: JSON.stringify(args), tags: [] }) },
  },
})

const template = endpoints.find((endpoint) => 'field' in endpoint) as FieldEndpoint
const row = (field: string, engine: 'jit' | 'graphql'): FieldEndpoint => ({ ...template, field, engine })

describe.each(['jit', 'graphql'] as const)('operations through %s', (engine) => {
  const operationOf = operationsOf(schema)

  it('return every field of the type, in the order of the schema', async () => {
    const { text, value } = await operationOf(row('Query.place', engine)).perform({ tag: 'x' }, { place: '7' })
    expect(text).toBe('{"id":7,"name":"absent","tags":["x"],"inner":{"a":1,"b":null}}')
    expect(value).toEqual({ id: 7, name: 'absent', tags: ['x'], inner: { a: 1, b: null } })
  })

  it('pass explicit nulls to the resolver', async () => {
    expect((await operationOf(row('Mutation.save', engine)).perform({}, { name: null })).value).toMatchObject({ name: '{"name":null}' })
  })

  it('return lists unchanged', async () => {
    expect((await operationOf(row('Query.places', engine)).perform({}, { search: 'a' })).text).toBe(
      '[{"id":1,"name":"a","tags":[],"inner":null}]',
    )
  })

  it('throw the error of the resolver', async () => {
    await expect(operationOf(row('Query.broken', engine)).perform({}, {})).rejects.toMatchObject({ name: 'Refusal', code: 'not_found' })
  })
})

it('fail at start-up for a row whose field is not in the schema', () => {
  expect(() => operationsOf(schema)(row('Query.absent', 'jit'))).toThrow(/names the field Query\.absent, which the schema does not have$/)
})
