import fc from 'fast-check'
import { buildSchema, type GraphQLArgument } from 'graphql'
import { describe, expect, it } from 'vitest'
import { bindArguments } from '#rest/bind.ts'

const schema = buildSchema(`
  enum Kind { spend refund }
  input Row { address: String!, radius_miles: Float, tags: [String!] }
  type Query {
    list(kind: Kind, page: Int, per_page: Int, observed: Boolean, min_hail_in: Float, search: String!, many: [Kind!]): Boolean
    plain(page: Int = 1): Boolean
  }
  type Mutation {
    create(address: String!, radius_miles: Float, notes: String, active: Boolean, reports: [Row!], layout: Row): Boolean
  }
`)
const argumentsOf = (type: 'Query' | 'Mutation', field: string): readonly GraphQLArgument[] => {
  const found = (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[field]
  if (!found) throw new Error(field)
  return found.args
}
const fromQuery = (query: Record<string, string | string[]>, field = 'list') =>
  bindArguments(argumentsOf('Query', field), { path: {}, query, body: null })
const fromBody = (body: Record<string, unknown>) => bindArguments(argumentsOf('Mutation', 'create'), { path: {}, query: null, body })

describe('query parameters', () => {
  it('reads each text as the type of its argument', () => {
    expect(fromQuery({ search: '12', kind: 'spend', page: '2', observed: '0', min_hail_in: '1.75', many: ['spend', 'refund'] })).toEqual({
      args: { search: '12', kind: 'spend', page: 2, observed: false, min_hail_in: 1.75, many: ['spend', 'refund'] },
      faults: {},
    })
  })

  it('names the parameter at fault in a plain sentence', () => {
    expect(fromQuery({ kind: 'gift', page: '2.5', observed: 'banana', min_hail_in: '1e2' }).faults).toEqual({
      kind: ['The kind must be one of spend, refund.'],
      page: ['The page must be a whole number.'],
      observed: ['The observed must be true or false.'],
      min_hail_in: ['The min hail in must be a number.'],
      search: ['The search is required.'],
    })
  })

  it.each(['', ' ', '+5', '0x10', '1e3', 'NaN', '５'])('takes %j for no whole number', (page) => {
    expect(fromQuery({ search: 'a', page }).faults).toHaveProperty('page')
  })

  it('takes a whole number beyond reach for the furthest one', () => {
    expect(fromQuery({ search: 'a', per_page: '99999999999', page: '-99999999999' }).args).toMatchObject({
      per_page: 2_147_483_647,
      page: -2_147_483_648,
    })
  })

  it('wants a parameter once', () => {
    expect(fromQuery({ search: ['a', 'b'] }).faults).toEqual({ search: ['The search must be given once.'] })
  })

  it('ignores parameters that no argument takes, and leaves defaults to the schema', () => {
    expect(fromQuery({ colour: 'red' }, 'plain')).toEqual({ args: {}, faults: {} })
  })

  it('refuses a NUL character', () => {
    expect(fromQuery({ search: 'a\u0000b' }).faults).toEqual({ search: ['The search must not hold a NUL character.'] })
  })
})

describe('parameters of the path', () => {
  it('are read as their type, whatever the body says', () => {
    const bound = bindArguments(argumentsOf('Query', 'list'), {
      path: { page: '2', search: '12' },
      query: null,
      body: { page: 9, per_page: 5 },
    })
    expect(bound).toEqual({ args: { page: 2, search: '12', per_page: 5 }, faults: {} })
  })
})

describe('bodies', () => {
  it('keeps explicit nulls and leaves out unknown keys at every depth', () => {
    expect(fromBody({ address: '1 Main St', notes: null, colour: 1, reports: [{ address: 'x', colour: 2 }] })).toEqual({
      args: { address: '1 Main St', notes: null, reports: [{ address: 'x' }] },
      faults: {},
    })
  })

  it('converts nothing', () => {
    expect(fromBody({ address: 123, radius_miles: '5', active: 1, reports: { address: 'x' } }).faults).toEqual({
      address: ['The address must be text.'],
      radius_miles: ['The radius miles must be a number.'],
      active: ['The active must be true or false.'],
      reports: ['The reports must be a list.'],
    })
  })

  it('names nested fields by their path', () => {
    expect(fromBody({ address: 'x', reports: [{ address: 'y' }, {}, null, { address: 'z', tags: ['a', 5] }], layout: [] }).faults).toEqual({
      'reports.1.address': ['The address is required.'],
      'reports.2': ['The reports is required.'],
      'reports.3.tags.1': ['The tags must be text.'],
      layout: ['The layout must be an object.'],
    })
  })

  it('refuses half a character and null where a value is required', () => {
    expect(fromBody({ address: null }).faults).toEqual({ address: ['The address is required.'] })
    expect(fromBody({ address: 'a\ud800' }).faults).toEqual({ address: ['The address must not hold half a character.'] })
  })

  it('either binds any JSON or names a field, and never throws', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('address', 'radius_miles', 'notes', 'active', 'reports', 'layout', '__proto__'), fc.jsonValue()),
        (body) => {
          const { args, faults } = fromBody(body)
          return Object.keys(faults).length > 0 || typeof args.address === 'string'
        },
      ),
    )
  })
})
