import type { JsonSchema } from '#domain/kernel/fields.ts'
import { headersNamed, RATE_HEADERS } from '#rest/described-headers.ts'
import { type DescribedResponse, refusalsOf } from '#rest/described-refusals.ts'
import type { Examples, OperationExamples } from '#rest/examples.ts'
import type { Envelope, Row } from '#rest/exchange.ts'
import { bareSchemaOf, refTo } from '#rest/json-schemas.ts'

/** Every status that a row answers with, its body and headers. */
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
  if (typeof status === 'number') answers.push(success(status, meanings[status] ?? '', method === 'GET' ? ['ETag'] : []))
  else if ('all' in status)
    answers.push(success(status.all, 'Every row went well.'), success(207, 'Rows ended differently; each answers for itself.'))
  else
    answers.push(
      success(200, 'Delivered.'),
      success(status.undelivered, 'The receiver refused or failed; the detail says what it answered.'),
    )
  if (replays)
    answers.push(
      success(200, 'A repeat of an earlier request: nothing was done, and this is the record as it stands.', ['Idempotent-Replay']),
    )
  if (method === 'GET')
    answers.push(['304', { description: 'The client holds this answer already.', headers: headersNamed(...RATE_HEADERS, 'ETag') }])
  // The one success of another shape: a document still being rendered.
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

const meanings: Record<number, string> = { 200: 'As asked.', 201: 'Created.', 202: 'Accepted.', 204: 'Done; no body.' }

function contentOf({ endpoint, operation }: Row, example: unknown): JsonSchema {
  if ('by' in endpoint && endpoint.media) return { [endpoint.media]: { schema: { type: 'string', format: 'binary' } } }
  const value = 'by' in endpoint ? endpoint.answers : operation ? bareSchemaOf(operation.field.type) : {}
  return jsonContent(enveloped[endpoint.as](value), example)
}

const jsonContent = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

const enveloped: Record<Envelope, (value: JsonSchema) => JsonSchema> = {
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
