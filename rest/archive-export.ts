import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireOperator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { type ArchiveFormat, archiveFormats, exportArchive } from '#domain/exports/archive/export.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isOneOf } from '#domain/kernel/validation.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { sendFile } from '#rest/send-file.ts'

const files: Record<ArchiveFormat, { extension: string; media_type: string }> = {
  csv: { extension: 'csv', media_type: 'text/csv; charset=utf-8; header=present' },
  geoparquet: { extension: 'parquet', media_type: 'application/vnd.apache.parquet' },
}

type ExportRequest = FastifyRequest<{ Params: { format: string }; Querystring: Record<string, unknown> }>

/**
 * Mounts the archive as one file, outside the contract: GET /operator/archive/records.csv and .geoparquet, with the operator key. Query: `from` and
 * `to`, and comma-separated `types` and `states`.
 */
export function mountArchiveExport(fastify: FastifyInstance, app: App): void {
  fastify.get('/operator/archive/records.:format', (request: ExportRequest, reply) => answerExport(app, request, reply))
}

async function answerExport(app: App, request: ExportRequest, reply: FastifyReply): Promise<FastifyReply> {
  const recheck = () => requireOperator(app, { authorization: request.headers.authorization, address: request.ip }, 'read')
  await recheck()
  addToRequestLog(request, { operation: 'archive.export' })
  const { format } = request.params
  if (!isOneOf(archiveFormats, format)) throw new Refusal('not_found', 'There is nothing at this path.')
  const { types, states, ...days } = request.query
  const pieces = exportArchive(app, format, { ...days, ...splitLists({ types, states }) })
  return sendFile(request, reply, pieces, recheck, { name: 'archive', ...files[format], day: app.clock.now() })
}

/** Comma-separated values as lists. */
function splitLists(sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value.split(',') : value]))
}
