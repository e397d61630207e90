import { readFileSync } from 'node:fs'
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isUnionType,
  parse,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import { abilityOf } from '#graphql/ability.ts'
import { printedSchema } from '#graphql/print.ts'
import { operatorSchema, personSchema, restSchema, schema, teamSchema } from '#graphql/schema.ts'
import { operationsOf } from '#rest/sofa.ts'
import { processorMs } from '#test/support/processor.ts'

test('the committed schema matches the running one: `npm run schema:print` writes it', () => {
  expect(printedSchema()).toBe(readFileSync('graphql/schema.graphql', 'utf8'))
})

test('an id in upper case is read as the id that is stored', () => {
  const type = schema.getType('UUID') as GraphQLScalarType
  expect(type.parseValue('0A1B2C3D-0000-4000-8000-00000000000F')).toBe('0a1b2c3d-0000-4000-8000-00000000000f')
})

test('every field, argument and type has a description', () => {
  const silent = objectTypes(schema).flatMap((type) => [
    ...(type.description ? [] : [type.name]),
    ...Object.values(type.getFields()).flatMap((field) => [
      ...(field.description ? [] : [`${type.name}.${field.name}`]),
      ...field.args.filter((argument) => !argument.description).map((argument) => `${type.name}.${field.name}(${argument.name}:)`),
    ]),
  ])
  expect(silent).toEqual([])
})

test('every field states its abilities', () => {
  const stated = Object.fromEntries(rootFields(teamSchema).map((field) => [field.name, abilityOf(field)]))
  expect(stated).toEqual({
    account: null,
    team: 'account:read',
    credits: 'account:read',
    creditTransactions: 'account:read',
    auditLog: 'account:read',
    monitoringRuns: 'account:read',
    reports: 'reports:read',
    report: 'reports:read',
    reportEvents: 'reports:read',
    reportVerification: 'reports:read',
    places: 'territories:read',
    createReport: 'reports:write',
    deleteReport: 'reports:write',
    reportDiff: 'reports:read',
    presetLayout: 'reports:read',
    reportPreview: 'reports:write',
    reportQuote: 'properties:write',
    refreshReport: 'reports:write',
    createReports: 'reports:write',
    createReportPdfLink: 'reports:export',
    properties: 'properties:read',
    property: 'properties:read',
    propertyContacts: 'properties:read',
    createProperty: 'properties:write',
    createProperties: 'properties:write',
    updateProperty: 'properties:write',
    tagProperties: 'properties:write',
    deleteProperty: 'properties:write',
    enrichProperty: 'properties:write',
    sendProperty: 'properties:write',
    createPropertyReport: 'properties:write',
    orderReports: 'properties:write',
    createContact: 'properties:write',
    updateContact: 'properties:write',
    deleteContact: 'properties:write',
    personalData: 'properties:write',
    erasePersonalData: 'properties:write',
    territories: 'territories:read',
    territory: 'territories:read',
    territoryQuote: 'territories:write',
    createTerritory: 'territories:write',
    updateTerritory: 'territories:write',
    setTerritoryStatus: 'territories:write',
    deleteTerritory: 'territories:write',
    exposures: 'exposures:read',
    exposureIds: 'exposures:read',
    exposure: 'exposures:read',
    propertyExposures: 'properties:read',
    territoryExposures: 'territories:read',
    acknowledgeExposure: 'exposures:write',
    reopenExposure: 'exposures:write',
    acknowledgeExposures: 'exposures:write',
    reopenExposures: 'exposures:write',
    integrations: 'integrations:read',
    integration: 'integrations:read',
    integrationEvents: 'integrations:read',
    integrationSecret: 'integrations:write',
    createIntegration: 'integrations:write',
    updateIntegration: 'integrations:write',
    deleteIntegration: 'integrations:write',
    testIntegration: 'integrations:write',
    acknowledgeIntegration: 'integrations:write',
    rotateIntegrationSecret: 'integrations:write',
    alertRules: 'integrations:read',
    failedDigest: 'integrations:read',
    alertMails: 'integrations:read',
    createAlertRule: 'integrations:write',
    updateAlertRule: 'integrations:write',
    mailAlertConfirmation: 'integrations:write',
    deleteAlertRule: 'integrations:write',
    deliveries: 'integrations:read',
    integrationDeliveries: 'integrations:read',
    delivery: 'integrations:read',
    resendDelivery: 'integrations:write',
    stormDay: 'exposures:read',
    stormDays: 'exposures:read',
    swaths: 'maps:read',
    playback: 'maps:read',
    mapRecord: 'maps:read',
    locate: 'maps:read',
  })
})

test("REST's part has no cycle, and its operations are generated fast", async () => {
  for (const type of objectTypes(restSchema)) expect(reachable(type), type.name).not.toContain(type)
  // A cycle would take seconds: the selection grows factorially with its types.
  expect(await processorMs(() => operationsOf(restSchema))).toBeLessThan(2000)
})

test('keys that only GraphQL has are not in REST', () => {
  expect(argumentNames(teamSchema, 'createReport')).toContain('idempotency_key')
  expect(argumentNames(restSchema, 'createReport')).not.toContain('idempotency_key')
  expect(rootFields(teamSchema).map(({ name }) => name)).toContain('sendProperty')
  expect(rootFields(restSchema).map(({ name }) => name)).not.toContain('sendProperty')
  expect(keysOf(teamSchema, 'Property')).toEqual([
    ...keysOf(restSchema, 'Property'),
    'contacts',
    'sent_coordinates',
    'reports',
    'exposures',
  ])
})

test("a team's schema has no operations of the operator, and the operator's none of a team", () => {
  const operators = rootFields(operatorSchema).map(({ name }) => name)
  const people = rootFields(personSchema).map(({ name }) => name)
  const teams = rootFields(teamSchema).map(({ name }) => name)
  expect(operators.filter((name) => people.includes(name))).toEqual([])
  expect(teams.filter((name) => !people.includes(name))).toEqual([])
  expect([...operators, ...people].sort()).toEqual(
    rootFields(schema)
      .map(({ name }) => name)
      .sort(),
  )
  expect(teamSchema.getType('AdminTeam')).toBeUndefined()
  expect(validate(teamSchema, parse('{ adminTeams { id } }')).map(({ message }) => message)).toEqual([
    'Cannot query field "adminTeams" on type "Query".',
  ])
})

function objectTypes(of: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(of.getTypeMap()).filter((type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'))
}

function rootFields(of: GraphQLSchema): GraphQLField<unknown, unknown>[] {
  return [of.getQueryType(), of.getMutationType()].flatMap((type) => Object.values(type?.getFields() ?? {}))
}

function keysOf(of: GraphQLSchema, name: string): string[] {
  const type = of.getType(name)
  return isObjectType(type) ? Object.keys(type.getFields()) : []
}

function argumentNames(of: GraphQLSchema, field: string): string[] {
  return (
    rootFields(of)
      .find(({ name }) => name === field)
      ?.args.map(({ name }) => name) ?? []
  )
}

/** Every object type that is reachable from a type. */
function reachable(type: GraphQLObjectType, seen = new Set<GraphQLObjectType>()): Set<GraphQLObjectType> {
  for (const field of Object.values(type.getFields())) {
    const named = getNamedType(field.type)
    const next = isUnionType(named) ? named.getTypes() : isObjectType(named) ? [named] : []
    for (const beneath of next) {
      if (seen.has(beneath)) continue
      seen.add(beneath)
      reachable(beneath, seen)
    }
  }
  return seen
}
