import { PassThrough, Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireOperator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { byteFault, decompress } from '#domain/archive/files/decompress.ts'
import type { ImportOptions, NamedRejection } from '#domain/archive/ingest/import.ts'
import type { Counts } from '#domain/archive/ingest/import-runs.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { sourceBySlug } from '#domain/archive/sources/index.ts'
import { unknownSource } from '#domain/archive/sources/require-source.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import { refuseUnknown } from '#domain/kernel/form.ts'
import { isPrintable, unprintable } from '#domain/kernel/printable.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, refuseField, validationFailed } from '#domain/kernel/validation.ts'
import { importAddressPoints, type PointImport } from '#domain/places/points.ts'
import { auditOperationOf } from '#graphql/audited.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { json } from '#rest/answers.ts'
import { allowLongUpload } from '#rest/connections.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'
import { discardUpload, uploadOf } from '#rest/upload.ts'

/** Lines of JSON, for clients that follow a long import. */
const NDJSON_TYPE = 'application/x-ndjson'
const IMPORT_FAILED = 'import failed'
/** No source uses longer file names. */
const FILE_NAME_MAX = 255

type Upload = FastifyRequest<{
  Params: { source: string }
  Querystring: { file_name?: unknown; whole_year?: unknown; quiet?: unknown; rejections?: unknown }
}>

/**
 * Mounts the operator's upload, outside the contract: POST /operator/archive/{source}, the body being one file of the
 * source, gzip or plain, of any length. Query: `file_name` (its own name), `whole_year`, `quiet` and `rejections` (true or
 * false). Returns the import's summary as JSON. For `Accept: application/x-ndjson` it returns lines of counts while it
 * reads, with `rejections` also lines of all rejected rows, and the summary or an error body as the last line.
 */
export function mountOperator(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    const answerUpload = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        return await receive(app, request as Upload, reply)
      } catch (error) {
        discardUpload(request)
        return send(request, reply, refuseFault(error, request, IMPORT_FAILED))
      }
    }
    // Runs before the host checks type or body: a file may have any type, and its source reads it.
    scope.post('/operator/archive/:source', { onRequest: answerUpload }, answerUpload)
  })
}

async function receive(app: App, request: Upload, reply: FastifyReply): Promise<FastifyReply> {
  const credentials = { authorization: request.headers.authorization, address: request.ip }
  const recheck = () => requireOperator(app, credentials, 'archive')
  const operator = await recheck()
  allowLongUpload(request)
  const audit = auditOperationOf(operator, { request_id: request.id, address: request.ip }, 'archiveImport')
  const importUpload = importerOf(app, request.params.source)
  const options = { ...optionsOf(request.query), audit }
  if (!request.headers.accept?.includes(NDJSON_TYPE)) {
    return send(request, reply, json({ object: 'import', ...(await importUpload(uploadOf(request, recheck), options)) }))
  }
  reply.type(NDJSON_TYPE)
  return reply.send(importWithProgress(importUpload, request, recheck, options, flagOf('rejections', request.query.rejections)))
}

/** Throws a refusal if the caller is no longer an operator. */
type Recheck = () => Promise<unknown>

type Importer = (stream: AsyncIterable<Buffer>, options: ImportOptions) => Promise<object>

/** Address points are not a source of records, but use the same upload. */
const ADDRESS_POINTS = 'address-points'

/** @throws Refusal `not_found` for an unknown source */
function importerOf(app: App, source: string): Importer {
  if (source === ADDRESS_POINTS) return (stream, options) => importPoints(app, stream, options)
  const slug = sourceBySlug(source)?.slug
  if (!slug) throw new Refusal('not_found', unknownSource(source, [ADDRESS_POINTS]))
  return (stream, options) => ingest(app, slug, stream, options)
}

/** The import of address points, in the form of an archive import. */
async function importPoints(
  app: App,
  stream: AsyncIterable<Buffer>,
  { file_name, on_progress, on_rejected, audit }: ImportOptions,
): Promise<object> {
  const done = await importAddressPoints(app, Readable.from(decompress(stream)), {
    on_progress: (so_far) => on_progress?.(countsOf(so_far)),
    on_refused: (fault) => on_rejected?.([rejectionOf(fault)]),
  }).catch((fault) => {
    const message = byteFault(fault)
    throw message ? validationFailed({ file: [message] }) : fault
  })
  if (audit) await app.db.$transaction((tx) => appendEntry(tx, audit, { kind: 'source', id: ADDRESS_POINTS, after: countsOf(done) }))
  return { source: ADDRESS_POINTS, file_name, ...countsOf(done), rejections: done.faults.map(rejectionOf), notes: [] }
}

const countsOf = ({ read, written, refused }: PointImport): Counts => ({
  ...{ rows: read, inserted: written, updated: 0, unchanged: 0, withdrawn: 0, rejected: refused },
})

const rejectionOf = ({ row, reason }: PointImport['faults'][number]): NamedRejection => ({ row: String(row), reason })

/** Progress of the import, line by line. `bytes` is the number of bytes of the file read so far. */
function importWithProgress(
  importUpload: Importer,
  request: Upload,
  recheck: Recheck,
  options: ImportOptions,
  lists_rejections: boolean,
): PassThrough {
  const lines = new PassThrough()
  const writeLine = (line: object) => lines.write(`${JSON.stringify(line)}\n`)
  let bytes = 0
  const counting = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      done(null, piece)
    },
  })
  importUpload(uploadOf(request, recheck, counting), {
    ...options,
    on_progress: (counts) => writeLine({ object: 'import_progress', ...counts, bytes }),
    ...(lists_rejections && { on_rejected: (rejections) => writeLine({ object: 'import_rejections', rejections }) }),
  })
    .then((summary) => writeLine({ object: 'import', ...summary }))
    .catch((error) => {
      discardUpload(request)
      const { body, refused } = refuseFault(error, request, IMPORT_FAILED)
      // The status 200 has been sent already, so only this records the outcome.
      addToRequestLog(request, { refused })
      lines.write(`${body}\n`)
    })
    .finally(() => lines.end())
  return lines
}

/** The parameters of the upload. */
const parameters: Record<keyof Upload['query'], true> = { file_name: true, whole_year: true, quiet: true, rejections: true }

/** @throws Refusal validation_failed also for an unknown parameter: a misspelled `quiet` would announce old storms to destinations */
function optionsOf(query: Upload['query']): ImportOptions {
  const faults = gatherFaults()
  refuseUnknown(parameters, query, faults)
  faults.refuse()
  const { file_name, whole_year, quiet } = query
  return { file_name: fileNameOf(file_name), whole_year: flagOf('whole_year', whole_year), quiet: flagOf('quiet', quiet) }
}

/** The name of the sent file. */
export function fileNameOf(sent: unknown): string {
  if (typeof sent === 'string' && !isPrintable(sent)) refuseField('file_name', unprintable('The file name'))
  if (typeof sent === 'string' && sent.length > 0 && sent.length <= FILE_NAME_MAX && !/[/\\]/.test(sent)) return sent
  return refuseField('file_name', `The file name must be 1 to ${FILE_NAME_MAX} characters, without folders.`)
}

function flagOf(name: string, sent: unknown): boolean {
  if (sent === undefined || sent === 'false' || sent === '0') return false
  if (sent === 'true' || sent === '1') return true
  return refuseField(name, `The ${name.replaceAll('_', ' ')} must be true or false.`)
}
