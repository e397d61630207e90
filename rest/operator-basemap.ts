import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireOperator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { currentBasemap, importBasemap, removeBasemap } from '#domain/maps/basemap/store.ts'
import { auditOperationOf } from '#graphql/audited.ts'
import { json } from '#rest/answers.ts'
import { allowLongUpload } from '#rest/connections.ts'
import { fileNameOf } from '#rest/operator.ts'
import { send } from '#rest/send.ts'
import { discardUpload, uploadOf } from '#rest/upload.ts'

const PATH = '/operator/basemap'
/** Its name in the audit log, among imported sources. */
const TARGET = { kind: 'source', id: 'basemap' } as const

type BasemapRequest = FastifyRequest<{ Querystring: { file_name?: unknown } }>

/**
 * Mounts the operator's basemap, outside the contract. POST /operator/basemap?file_name= with one PMTiles file of any length as the body
 * makes it the basemap of every process. GET returns the imported basemap, DELETE removes it. Requires the role `archive`.
 */
export function mountOperatorBasemap(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    const handlerOf = (perform: typeof show) => async (request: FastifyRequest, reply: FastifyReply) =>
      send(request, reply, json(await perform(app, request as BasemapRequest)))
    const handleImport = handlerOf(receive)
    // Runs before the host checks type or body: a basemap exceeds the limit of other bodies.
    scope.post(PATH, { onRequest: handleImport }, handleImport)
    scope.get(PATH, handlerOf(show))
    scope.delete(PATH, handlerOf(remove))
  })
}

async function admit(app: App, request: FastifyRequest, operation: string) {
  const operator = await requireOperator(app, { authorization: request.headers.authorization, address: request.ip }, 'archive')
  return auditOperationOf(operator, { request_id: request.id, address: request.ip }, operation)
}

async function receive(app: App, request: BasemapRequest): Promise<object> {
  const auditOperation = await admit(app, request, 'basemapImport')
  allowLongUpload(request)
  const file_name = fileNameOf(request.query.file_name)
  const imported = await importBasemap(
    app,
    uploadOf(request, () => admit(app, request, 'basemapImport')),
    file_name,
  ).catch((fault) => {
    discardUpload(request)
    throw fault
  })
  await app.db.$transaction((tx) => appendEntry(tx, auditOperation, { ...TARGET, after: { imports: 1 } }))
  return imported
}

async function show(app: App, request: BasemapRequest): Promise<object> {
  await admit(app, request, 'basemap')
  const current = await currentBasemap(app)
  if (!current) throw noBasemap()
  const { file_name, bytes, imported_at } = current
  return { object: 'basemap', file_name, bytes, imported_at }
}

async function remove(app: App, request: BasemapRequest): Promise<object> {
  const auditOperation = await admit(app, request, 'basemapRemove')
  if (!(await removeBasemap(app))) throw noBasemap()
  await app.db.$transaction((tx) => appendEntry(tx, auditOperation, { ...TARGET, after: { removed: 1 } }))
  return { object: 'basemap', removed: true }
}

const noBasemap = () => new Refusal('not_found', 'No basemap has been imported.')
