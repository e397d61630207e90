import fc from 'fast-check'
import { buildSchema, type GraphQLArgument } from 'graphql'
import { describe, expect, it } from 'vitest'
import { bindArguments } from '#rest/bind.ts'

const schema = buildSchema(`
  enum Kind { spend refund }
  type Query {
    list(kind: Kind, page: Int, per_page: Int, observed: Boolean, min_hail_in: Float, search: String!, many: [Kind!]): Boolean
  }
  type Mutation {
    create(property: String!, address: String!, radius_miles: Float, notes: String, active: Boolean, reports: [String!]): Boolean
  }
`)
const argumentsOf = (type: 'Query' | 'Mutation', field: string): readonly GraphQLArgument[] => {
  const found = (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[field]
  if (!found) throw new Error(field)
  return found.args
}
const fromQuery = (query: Record<string, string | string[]>) =>
  bindArguments(argumentsOf('Query', 'list'), { path: {}, query, body: null }).args
const fromBody = (body: Record<string, unknown>) =>
  bindArguments(argumentsOf('Mutation', 'create'), { path: { property: 'p' }, query: null, body })

describe('query parameters', () => {
  it('are read as the type of their argument', () => {
    expect(fromQuery({ search: '12', kind: 'spend', page: '2', observed: '0', min_hail_in: '1.75', many: ['spend', 'refund'] })).toEqual({
      search: '12',
      kind: 'spend',
      page: 2,
      observed: false,
      min_hail_in: 1.75,
      many: ['spend', 'refund'],
    })
  })

  it('stay unchanged if they do not fit the type, so that the domain can name them', () => {
    const odd = { kind: 'gift', page: '2.5', observed: 'banana', min_hail_in: '1e2' }
    expect(fromQuery(odd)).toEqual(odd)
  })

  it.each(['', ' ', '+5', '0x10', '1e3', 'NaN', '５'])('read %j as no whole number', (page) => {
    expect(fromQuery({ page })).toEqual({ page })
  })

  it('read a whole number that is too large as the largest one', () => {
    expect(fromQuery({ per_page: '99999999999', page: '-99999999999' })).toEqual({ per_page: 2_147_483_647, page: -2_147_483_648 })
  })

  it('are lists if they are sent twice or with brackets', () => {
    expect(fromQuery({ search: ['a', 'b'] })).toEqual({ search: ['a', 'b'] })
    expect(fromQuery({ 'kind[]': 'spend' })).toEqual({ kind: ['spend'] })
    expect(fromQuery({ 'kind[0]': 'spend', kind: 'refund' })).toEqual({ kind: ['spend'] })
    expect(fromQuery({ 'page[]': ['1', '2'] })).toEqual({ page: ['1', '2'] })
  })

  it('are ignored if no argument takes them, with brackets too', () => {
    expect(fromQuery({ colour: 'red', 'colours[]': 'red' })).toEqual({})
  })
})

describe('bodies', () => {
  it('are passed on unchanged: nulls kept, nothing converted', () => {
    const body = { address: 123, radius_miles: '5', notes: null, active: 1, reports: { address: 'x' } }
    expect(fromBody(body)).toEqual({ args: { property: 'p', ...body }, unknown: {} })
  })

  it('pass on keys that no argument takes, and keys that the path also names', () => {
    const { args, unknown } = fromBody({ address: '1 Main St', radius: 5, property: 'q' })
    expect(args).toEqual({ property: 'p', address: '1 Main St' })
    expect(unknown).toEqual({ radius: 5, property: 'q' })
  })

  it('may have any keys, even the names of every object’s methods', () => {
    const keys = fc.constantFrom('address', 'radius_miles', 'constructor', 'toString', 'hasOwnProperty', 'x')
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (body) => {
        const { args, unknown } = fromBody(body)
        return Object.keys({ ...args, ...unknown }).length === Object.keys({ ...body, property: 'p' }).length
      }),
    )
  })
})

describe('parameters of the path', () => {
  it('are read as their type, and take precedence over the body', () => {
    const bound = bindArguments(argumentsOf('Query', 'list'), {
      path: { page: '2', search: '12' },
      query: null,
      body: { page: 9, per_page: 5 },
    })
    expect(bound.args).toEqual({ page: 2, search: '12', per_page: 5 })
  })
})
