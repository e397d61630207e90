import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addContact } from '#domain/properties/contacts.ts'
import { requestPropertyReport } from '#domain/reports/for-property.ts'
import type { Team } from '#generated/prisma/client.ts'
import { operatorSchema, teamSchema } from '#graphql/schema.ts'
import { aKeptProperty, aKeptTerritory, anExposure, aWarning } from '#test/support/exposures.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph
/** For a team with one record of each kind, and for one with four. */
let one: string
let four: string

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  graph = await openGraph(world.app)
  one = await aTokenOfTeamHolding(1)
  four = await aTokenOfTeamHolding(4)
})
afterAll(() => graph.close())

async function aTokenOfTeamHolding(records: number): Promise<string> {
  const team = await aTeam(world)
  for (let n = 0; n < records; n++) await addRecords(team, n)
  const { token } = await aToken(world, team)
  // The first request of a token records its use.
  await graph.ask(token, '{ account { object } }')
  return token
}

async function addRecords(team: Team, n: number): Promise<void> {
  const caller = await aCaller(world, team)
  const { id: property_id } = await aKeptProperty(world, team)
  const { id: territory_id } = await aKeptTerritory(world, team)
  await addContact(world.app, caller, property_id, { name: `Ann ${n}` })
  await requestPropertyReport(world.app, caller, property_id, {}, null)
  const warning = { kind: 'warning', warning: aWarning, warning_key: `KOUN.SV.W.0${142 + n}.2026` } as const
  await anExposure(world, team, { property_id })
  await anExposure(world, team, { territory_id, ...warning })
}

/** A field that lists records, the path of fields to its rows, and their type. */
interface Listing {
  path: string[]
  rows: GraphQLObjectType
}

/** The listings that a document can request without naming a record. */
function listingsOf(schema: GraphQLSchema): Listing[] {
  return Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(({ args }) => !args.some(({ type }) => isNonNullType(type)))
    .flatMap((field) => listingOf(field) ?? [])
}

/** Rows are in the field itself, or under `data` of a page. */
function listingOf(field: GraphQLField<unknown, unknown>): Listing | null {
  const rows = getNamedType(field.type)
  if (!isObjectType(rows)) return null
  if (isListType(getNullableType(field.type))) return { path: [field.name], rows }
  const data = rows.getFields().data
  const paged = data && getNamedType(data.type)
  return isObjectType(paged) ? { path: [field.name, 'data'], rows: paged } : null
}

/** The fields of a record that lead to other records: those that the parent's own row does not contain. */
function edgesOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter(
    ({ type: of, extensions }) => isObjectType(getNamedType(of)) && !('pothosExposedField' in extensions),
  )
}

/** Every path of so many edges from a record, each with the type at its end. */
function waysFrom(type: GraphQLObjectType, edges: number): Listing[] {
  return edgesOf(type).flatMap((edge) => {
    const { path, rows } = listingOf(edge) ?? { path: [edge.name], rows: getNamedType(edge.type) as GraphQLObjectType }
    const further = edges === 1 ? [] : waysFrom(rows, edges - 1)
    return [{ path, rows }, ...further.map((way) => ({ path: [...path, ...way.path], rows: way.rows }))]
  })
}

function documentOf({ path, rows }: Listing): string {
  return `{ ${path.join(' { ')} { ${leafOf(rows)} } ${'} '.repeat(path.length)}`
}

/** The shortest selection of a type. */
function leafOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields())
  const leaf = fields.find(({ type: of }) => isLeafType(getNamedType(of)))
  if (leaf) return leaf.name
  const [field] = fields as [GraphQLField<unknown, unknown>]
  return `${field.name} { ${leafOf(getNamedType(field.type) as GraphQLObjectType)} }`
}

async function statementsFor(token: string, document: string): Promise<string[]> {
  return statementsOf(async () => {
    const { errors } = await graph.ask(token, document)
    expect(errors, document).toBeUndefined()
  })
}

/** The edges between records that take a statement each; the others are read with their parent. */
const EDGES = [
  'exposures.property',
  'exposures.records',
  'exposures.territory',
  'exposures.warning_messages',
  'properties.contacts',
  'properties.exposures',
  'properties.reports',
  'reports.property',
  'reports.records',
  'territories.exposures',
]

const listings = listingsOf(teamSchema)

describe('a listing of the graph', () => {
  it('has the edges that are listed here', () => {
    const found = listings.flatMap(({ path, rows }) => edgesOf(rows).map((edge) => `${path[0]}.${edge.name}`))
    expect(found).toEqual(expect.arrayContaining(EDGES))
  })

  it.each(['properties', 'territories', 'reports', 'exposures'])('has several rows for its edges: %s', async (name) => {
    const { data } = await graph.ask(four, `{ ${name} { data { id } } }`)
    expect(data[name].data.length).toBeGreaterThanOrEqual(4)
  })

  it.each(listings.map((listing) => [listing.path[0], listing] as const))(
    'reads each edge of many rows in one statement: %s',
    async (_name, listing) => {
      for (const way of waysFrom(listing.rows, 3)) {
        const document = documentOf({ path: [...listing.path, ...way.path], rows: way.rows })
        const [few, many] = [await statementsFor(one, document), await statementsFor(four, document)]
        expect(many, document).toHaveLength(few.length)
      }
    },
  )

  it.each([
    [
      7,
      'territories(per_page: 2) { data { exposures(first: 2) { territory { exposures(first: 2) { territory { exposures(first: 2) { warning_messages { identifier } } } } } } } }',
    ],
    // Properties, their contacts and exposures, the exposures' property, its reports, and their property and records.
    [
      7,
      'properties(per_page: 2) { data { contacts { name } exposures(first: 2) { property { reports(first: 2) { property { id } records(per_page: 2) { data { id } } } } } } }',
    ],
  ])('resolves a query of six or more levels with one statement for each level or branch: %i', async (levels, question) => {
    const admitted = await statementsFor(four, '{ __typename }')
    expect((await statementsFor(four, `{ ${question} }`)).length - admitted.length).toBe(levels)
  })
})

describe("the operator's graph", () => {
  // The check of the audit log goes through it, one chain at a time.
  const listed = listingsOf(operatorSchema).filter(({ path: [name] }) => name !== 'auditFaults')

  it.each(listed.map((listing) => [listing.path[0], listing] as const))(
    'reads a listing with the same number of statements for any number of rows: %s',
    async (_name, listing) => {
      const document = documentOf(listing)
      const before = await statementsFor(OPERATOR_KEY, document)
      for (let n = 0; n < 3; n++) await aTeam(world)
      expect(await statementsFor(OPERATOR_KEY, document)).toHaveLength(before.length)
    },
  )

  it('reads only the requested columns of teams', async () => {
    const [sent] = (await statementsFor(OPERATOR_KEY, '{ adminTeams { name plan } }')).filter((text) => text.includes('"teams"'))
    expect(sent).toContain('"name"')
    expect(sent).toContain('"trial_ends_at"')
    expect(sent).not.toContain('"brand_logo"')
    const statements = await statementsFor(OPERATOR_KEY, '{ adminTeams { has_brand_logo } }')
    expect(statements.filter((text) => text.includes('brand_logo'))).toEqual([
      expect.stringMatching(/^SELECT id FROM teams WHERE [^,]* AND brand_logo IS NOT NULL$/),
    ])
  })
})
