import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { permit } from '#domain/access/permit.ts'
import { readFromReplica } from '#domain/access/read-replica.ts'
import type { App } from '#domain/app.ts'
import { printableExcerpt } from '#domain/kernel/form.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { swathsOfDay } from '#domain/maps/swath-day.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { admitWithOrigin, answerPreflight } from '#rest/cors.ts'
import { compressFor } from '#rest/encoding.ts'
import { send } from '#rest/send.ts'

const GEOJSON_TYPE = 'application/geo+json'
const EXTENSION = '.geojson'
/** A day grows while its frames arrive, and a cached copy may not be read without the token. */
const CACHE = 'private, no-cache'

type SwathRequest = FastifyRequest<{ Params: { file: string }; Querystring: Record<string, unknown> }>

/** Mounts the hail swaths of a day, outside the contract: GET /swaths/{date}.geojson?bbox=, with the ability of the tiles. */
export function mountSwaths(fastify: FastifyInstance, app: App): void {
  fastify.options('/swaths/:file', { onRequest: answerPreflight(app) }, (_request, reply) => reply.callNotFound())
  fastify.get('/swaths/:file', (request: SwathRequest, reply) => answerSwaths(app, request, reply))
}

async function answerSwaths(app: App, request: SwathRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await admitWithOrigin(app, request, reply)
  addToRequestLog(request, { operation: 'swaths' })
  permit(caller, 'maps:read')
  const { file } = request.params
  if (!file.endsWith(EXTENSION)) throw new Refusal('not_found', 'There is nothing at this path.')
  const query = { date: file.slice(0, -EXTENSION.length), bbox: bboxOf(request.query) }
  const collection = await readFromReplica(app, caller, (app) => swathsOfDay(app, query))
  const answer = { status: 200, body: JSON.stringify(collection), content_type: GEOJSON_TYPE, headers: { 'cache-control': CACHE } }
  return send(request, reply, await compressFor(request.headers['accept-encoding'], answer))
}

/** The box that was sent; null if none was. */
function bboxOf(query: Record<string, unknown>): string | null {
  for (const name of Object.keys(query))
    if (name !== 'bbox') refuseField(printableExcerpt(name), `There is no parameter called ${printableExcerpt(name)} here.`)
  const { bbox = null } = query
  if (bbox !== null && typeof bbox !== 'string') refuseField('bbox', 'The bbox must be one value.')
  return bbox
}
