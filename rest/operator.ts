import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operatorOf } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { type ImportOptions, ingest } from '#domain/archive/ingest.ts'
import { sourceBySlug } from '#domain/archive/sources/index.ts'
import { byteFault, unpacked } from '#domain/archive/unpack.ts'
import { refuseField, validationFailed } from '#domain/check.ts'
import { importAddressPoints } from '#domain/places/points.ts'
import { Refusal } from '#domain/refusal.ts'
import { tell } from '#graphql/context.ts'
import { json } from '#rest/answers.ts'
import { refuse } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** Lines of JSON: what a client that follows a long import asks for. */
const NDJSON_TYPE = 'application/x-ndjson'
/** No source names a file longer. */
const FILE_NAME_MAX = 255

type Upload = FastifyRequest<{ Params: { source: string }; Querystring: { file_name?: unknown; whole_year?: unknown; quiet?: unknown } }>

/**
 * Mounts the operator's upload, outside the contract: POST /operator/archive/{source}, the body being one file of the
 * source, gzip or plain, of any length. Query: `file_name` (its own name), `whole_year` and `quiet` (true or false).
 * Answers the import's summary as JSON; to `Accept: application/x-ndjson`, lines of counts while it reads and the
 * summary, or an error body, as the last line.
 */
export function mountOperator(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    const answerUpload = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        return await receive(app, request as Upload, reply)
      } catch (error) {
        return send(request, reply, failure(error, request))
      }
    }
    // Before the host judges a type or a body: a file may be of any type, and is read by its source.
    scope.post('/operator/archive/:source', { onRequest: answerUpload }, answerUpload)
  })
}

async function receive(app: App, request: Upload, reply: FastifyReply): Promise<FastifyReply> {
  requireOperator(app, request.headers.authorization)
  const read = readingOf(app, request.params.source) ?? nothingHere()
  const options = optionsOf(request.query)
  if (!request.headers.accept?.includes(NDJSON_TYPE)) {
    return send(request, reply, json({ object: 'import', ...(await read(bytesOf(request), options)) }))
  }
  reply.type(NDJSON_TYPE)
  return reply.send(progressOf(read, request, options))
}

/** The upload, apart from its connection: a reader that stops early destroys this, and the answer can still be sent. */
function bytesOf({ raw }: Upload): Readable {
  const bytes = new PassThrough()
  raw.once('error', (error) => bytes.destroy(error))
  return raw.pipe(bytes)
}

type Reading = (stream: Readable, options: ImportOptions) => Promise<object>

/** Address points are no source of records; they come the same way. */
function readingOf(app: App, source: string): Reading | null {
  if (source === 'address-points') return (stream, { file_name }) => importPoints(app, stream, file_name)
  const slug = sourceBySlug(source)?.slug
  return slug ? (stream, options) => ingest(app, slug, stream, options) : null
}

/** The points' import, told in the words of the archive's. */
async function importPoints(app: App, stream: Readable, file_name: string): Promise<object> {
  const { read, written, refused, faults } = await importAddressPoints(app, Readable.from(unpacked(stream))).catch((fault) => {
    const said = byteFault(fault)
    throw said ? validationFailed({ file: [said] }) : fault
  })
  const counts = { rows: read, inserted: written, updated: 0, unchanged: 0, withdrawn: 0, rejected: refused }
  return {
    source: 'address-points',
    file_name,
    ...counts,
    rejections: faults.map(({ row, reason }) => ({ row: String(row), reason })),
    notes: [],
  }
}

/** The import's own account of itself, line by line. */
function progressOf(read: Reading, request: Upload, options: ImportOptions): PassThrough {
  const lines = new PassThrough()
  const say = (line: object) => lines.write(`${JSON.stringify(line)}\n`)
  read(bytesOf(request), { ...options, on_progress: (counts) => say({ object: 'import_progress', ...counts }) })
    .then((summary) => say({ object: 'import', ...summary }))
    .catch((error) => {
      const { body, refused } = failure(error, request)
      // The status has gone out as 200: what came of it is counted by this alone.
      tell(request, { refused })
      lines.write(`${body}\n`)
    })
    .finally(() => lines.end())
  return lines
}

function failure(error: unknown, request: FastifyRequest) {
  if (!(error instanceof Refusal)) request.log.error({ err: error, request_id: request.id }, 'import failed')
  return refuse(error, request.id)
}

/**
 * Lets the operator pass. Without a key there is no operator API at all.
 * @throws Refusal `not_found` where no key is set, `unauthenticated` for any other credential
 */
export function requireOperator({ config }: Pick<App, 'config'>, authorization: string | undefined): void {
  if (config.operator_key === null) nothingHere()
  if (!operatorOf(config, authorization)) {
    throw new Refusal('unauthenticated', 'Send the operator key in the header Authorization: Bearer wo_...')
  }
}

function nothingHere(): never {
  throw new Refusal('not_found', 'There is nothing at this path.')
}

function optionsOf({ file_name, whole_year, quiet }: Upload['query']): ImportOptions {
  if (typeof file_name !== 'string' || file_name.length === 0 || file_name.length > FILE_NAME_MAX || /[/\\]|\p{Cc}/u.test(file_name)) {
    refuseField('file_name', `The file name must be 1 to ${FILE_NAME_MAX} characters, without folders.`)
  }
  return { file_name, whole_year: flagOf('whole_year', whole_year), quiet: flagOf('quiet', quiet) }
}

function flagOf(name: string, sent: unknown): boolean {
  if (sent === undefined || sent === 'false' || sent === '0') return false
  if (sent === 'true' || sent === '1') return true
  return refuseField(name, `The ${name.replaceAll('_', ' ')} must be true or false.`)
}
