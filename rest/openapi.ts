import { type GraphQLArgument, isNonNullType } from 'graphql'
import { json } from '#rest/answers.ts'
import { headers, responses, responsesOf } from '#rest/described-answers.ts'
import type { Answer, Api, Exchange, Row } from '#rest/exchange.ts'
import { bareSchemaOf, errorSchema, type JsonSchema, namedSchemas, schemaOf, withDescription } from '#rest/json-schemas.ts'
import { PREFIX } from '#rest/match.ts'
import { pathParameterSchema } from '#rest/path-ids.ts'

const written = new WeakMap<Api, Answer>()

/** The machine-readable description: OpenAPI 3.1.0, written once a process from the table and the GraphQL schema. */
export async function openApiDocument({ api }: Exchange): Promise<Answer> {
  const answer = written.get(api) ?? json(describe(api))
  written.set(api, answer)
  return answer
}

export function describe({ app, rows, schema }: Api): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weather Report Service',
      version: '1.0.0',
      description: 'Weather reports in which every figure cites an archived record, and monitoring of watched places.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: app.config.base_url }],
    security: [{ bearer: [] }],
    tags: tags.filter(({ name }) => rows.some((row) => tagOf(row) === name)).map(({ name, description }) => ({ name, description })),
    paths: pathsOf(rows),
    components: {
      schemas: { ...namedSchemas(schema), Error: errorSchema },
      responses,
      headers,
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A token of the team, beginning with wt_.' } },
    },
  }
}

function pathsOf(rows: readonly Row[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const path = `${PREFIX}${row.endpoint.path}`
    paths[path] = { ...paths[path], [row.endpoint.method.toLowerCase()]: operationOf(row) }
  }
  return paths
}

function operationOf(row: Row): JsonSchema {
  const { endpoint, ability, operation } = row
  const named = namesIn(endpoint.path)
  const sent = operation?.field.args.filter(({ name }) => !named.includes(name)) ?? []
  const reading = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const parameters = [
    ...named.map((name) => pathParameter(name, operation?.field.args)),
    ...(reading ? sent.map(queryParameter) : []),
    ...(endpoint.replays ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  const body = !reading && sent.length > 0
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: [operation?.field.description, ability ? `Needs the ability ${ability}.` : 'Any valid token will do.']
      .filter(Boolean)
      .join(' '),
    tags: [tagOf(row)],
    security: [{ bearer: ability ? [ability] : [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(sent) }),
    responses: responsesOf(row),
  }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
}

function pathParameter(name: string, taken: readonly GraphQLArgument[] | undefined): JsonSchema {
  const description = taken?.find((argument) => argument.name === name)?.description
  return withDescription({ name, in: 'path', required: true, schema: pathParameterSchema(name) }, description)
}

function queryParameter({ name, type, description }: GraphQLArgument): JsonSchema {
  return withDescription({ name, in: 'query', required: isNonNullType(type), schema: bareSchemaOf(type) }, description)
}

function requestBody(sent: readonly GraphQLArgument[]): JsonSchema {
  const required = sent.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)
  const properties = Object.fromEntries(sent.map(({ name, type, description }) => [name, withDescription(schemaOf(type), description)]))
  return { required: required.length > 0, content: { 'application/json': { schema: { type: 'object', required, properties } } } }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

/** By the first segment of the path. */
const tags = [
  {
    name: 'Account and platform',
    description: 'The token, the team, its credits and when monitoring last ran.',
    of: ['', 'account', 'team', 'credits', 'monitoring', 'openapi.json'],
  },
  { name: 'Reports', description: 'Weather reports on one address and window.', of: ['reports'] },
  { name: 'Properties', description: 'Watched addresses and their contacts.', of: ['properties'] },
  { name: 'Territories', description: 'Watched areas, and places to draw them around.', of: ['territories', 'places'] },
  { name: 'Exposures', description: 'Storm days and live warnings at watched places.', of: ['exposures'] },
  { name: 'Integrations', description: 'Destinations of events, and what was delivered.', of: ['integrations'] },
  { name: 'Maps and playback', description: 'The archive as tiles, and a storm day over a box.', of: ['tiles', 'playback'] },
]

function tagOf({ endpoint: { path } }: Row): string {
  const first = path.split('/')[1] ?? ''
  const tag = tags.find(({ of }) => of.includes(first))
  if (!tag) throw new Error(`no tag holds ${path}`)
  return tag.name
}
