import type { JsonSchema } from '#domain/kernel/fields.ts'
import { json } from '#rest/answers.ts'
import { responsesOf } from '#rest/described-answers.ts'
import { headers } from '#rest/described-headers.ts'
import { errorSchema, sharedResponses } from '#rest/described-refusals.ts'
import { parameters, parametersOf, requestBodyOf } from '#rest/described-requests.ts'
import { type Examples, examplesOf } from '#rest/examples.ts'
import type { Answer, Api, Exchange, Row } from '#rest/exchange.ts'
import { namedSchemas } from '#rest/json-schemas.ts'
import { PREFIX } from '#rest/match.ts'
import { payloadSchemas, postHeaders, WEBHOOK_TAG, webhooks } from '#rest/webhooks.ts'

const documents = new WeakMap<Api, Answer>()

/** The OpenAPI 3.1.0 document, built once per process from the endpoint table and the GraphQL schema. */
export async function openApiDocument({ api }: Exchange): Promise<Answer> {
  const answer = documents.get(api) ?? json(buildOpenApi(api))
  documents.set(api, answer)
  return answer
}

const anyObject = { type: 'object', additionalProperties: true }

/** Schema of the OpenAPI document, for the document itself. */
export const openApiSchema: JsonSchema = {
  type: 'object',
  description: 'OpenAPI 3.1.0.',
  required: ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'],
  properties: {
    openapi: { type: 'string', const: '3.1.0' },
    info: {
      type: 'object',
      required: ['title', 'version'],
      properties: { title: { type: 'string' }, version: { type: 'string' } },
      additionalProperties: true,
    },
    servers: { type: 'array', items: anyObject },
    security: { type: 'array', items: anyObject },
    tags: { type: 'array', items: anyObject },
    paths: anyObject,
    webhooks: anyObject,
    components: anyObject,
  },
}

/** Builds the OpenAPI 3.1 document from the table of endpoints and the GraphQL schema. */
export function buildOpenApi({ app, rows, schema }: Api): JsonSchema {
  const examples = examplesOf(app.config.base_url)
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
    tags: [...tags.map(({ name, description }) => ({ name, description })), WEBHOOK_TAG],
    paths: pathsOf(rows, examples),
    webhooks: webhooks(examples.webhooks),
    components: {
      schemas: { ...namedSchemas(schema), ...payloadSchemas, Error: errorSchema },
      responses: sharedResponses(examples.refusals),
      headers,
      parameters: { ...parameters, ...postHeaders },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A token of the team. It starts with wt_.' } },
    },
  }
}

function pathsOf(rows: readonly Row[], examples: Examples): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const path = `${PREFIX}${row.endpoint.path}`
    paths[path] = { ...paths[path], [row.endpoint.method.toLowerCase()]: operationOf(row, examples) }
  }
  return paths
}

function operationOf(row: Row, { operations, refusals }: Examples): JsonSchema {
  const { endpoint, ability, operation } = row
  const examples = operations[endpoint.name]
  const parameters = parametersOf(row, examples)
  const requestBody = requestBodyOf(row, examples)
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: [operation?.field.description, ability ? `Needs the ability ${ability}.` : 'Any valid token will do.']
      .filter(Boolean)
      .join(' '),
    tags: [tagOf(row)],
    security: [{ bearer: ability ? [ability] : [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(row, examples, refusals),
  }
}

/** Tags by the first segment of the path. */
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
  { name: 'Integrations', description: 'Destinations of events, and their deliveries.', of: ['integrations'] },
  { name: 'Maps and playback', description: 'The archive as tiles, and a storm day over a box.', of: ['tiles', 'playback'] },
]

function tagOf({ endpoint: { path } }: Row): string {
  const first = path.split('/')[1] ?? ''
  const tag = tags.find(({ of }) => of.includes(first))
  if (!tag) throw new Error(`no tag covers ${path}`)
  return tag.name
}
