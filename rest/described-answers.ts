import type { JsonSchema } from '#domain/kernel/fields.ts'
import { headersNamed, RATE_HEADERS } from '#rest/described-headers.ts'
import { type DescribedResponse, refusalsOf } from '#rest/described-refusals.ts'
import type { Examples, OperationExamples } from '#rest/examples.ts'
import type { Envelope, Row } from '#rest/exchange.ts'
import { bareSchemaOf, refTo } from '#rest/json-schemas.ts'

/** Every success status of an endpoint, with body and headers. */
export function responsesOf(row: Row, examples: OperationExamples | undefined, refused: Examples['refusals']): JsonSchema {
  return Object.fromEntries([...successesOf(row, examples?.answers ?? {}), ...refusalsOf(row, refused)])
}

function successesOf(row: Row, examples: OperationExamples['answers']): DescribedResponse[] {
  const { method, status, also, replays, as } = row.endpoint
  const success = (code: number, description: string, more: string[] = []): DescribedResponse => [
    String(code),
    { description, headers: headersNamed(...RATE_HEADERS, ...more), ...(as !== 'empty' && { content: contentOf(row, examples[code]) }) },
  ]
  const answers: DescribedResponse[] = []
  if (typeof status === 'number') answers.push(success(status, statusDescriptions[status] ?? '', method === 'GET' ? ['ETag'] : []))
  else if ('all' in status)
    answers.push(success(status.all, 'All rows succeeded.'), success(207, 'Rows have different outcomes. Each states its own.'))
  else
    answers.push(
      success(200, 'Delivered.'),
      success(status.undelivered, 'The receiver refused the post or failed. The detail contains its response.'),
    )
  if (replays)
    answers.push(
      success(200, 'A repeat of an earlier request. Nothing was done; the body is the record as it is now.', ['Idempotent-Replay']),
    )
  if (method === 'GET')
    answers.push(['304', { description: 'The client already has this response.', headers: headersNamed(...RATE_HEADERS, 'ETag') }])
  // The only success with a different body: a document that is still being rendered.
  for (const code of also) {
    answers.push([
      String(code),
      {
        description: 'Still being rendered.',
        headers: headersNamed(...RATE_HEADERS, 'Retry-After'),
        content: jsonContent(refTo('PdfPreparing'), examples[code]),
      },
    ])
  }
  return answers
}

const statusDescriptions: Record<number, string> = { 200: 'Success.', 201: 'Created.', 202: 'Accepted.', 204: 'Success without a body.' }

function contentOf({ endpoint, operation }: Row, example: unknown): JsonSchema {
  if ('by' in endpoint && endpoint.media_type) return { [endpoint.media_type]: { schema: { type: 'string', format: 'binary' } } }
  const value = 'by' in endpoint ? endpoint.json_schema : operation ? bareSchemaOf(operation.field.type) : {}
  return jsonContent(schemaByEnvelope[endpoint.as](value), example)
}

const jsonContent = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

const schemaByEnvelope: Record<Envelope, (value: JsonSchema) => JsonSchema> = {
  data: (data) => ({ type: 'object', required: ['data'], properties: { data } }),
  bare: (value) => value,
  page: (value) => value,
  list: (value) =>
    value.type === 'array'
      ? { type: 'object', required: ['object', 'data'], properties: { object: { type: 'string', const: 'list' }, data: value } }
      : value,
  empty: (value) => value,
  bytes: (value) => value,
}
