import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { permit } from '#domain/access/permit.ts'
import { withinTeam } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { type Export, type ExportFormat, type ExportName, exportFormats, exportsByName } from '#domain/exports/exports.ts'
import { printableExcerpt } from '#domain/kernel/form.ts'
import { Refusal, retryLater } from '#domain/kernel/refusal.ts'
import { isOneOf } from '#domain/kernel/validation.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { countBeingSent } from '#rest/being-sent.ts'
import { bindArguments } from '#rest/bind.ts'
import { admitWithOrigin, answerPreflight } from '#rest/cors.ts'
import type { Api, Operation, Row } from '#rest/exchange.ts'
import { sendFile } from '#rest/send-file.ts'

/** The row of the contract that an export lists. The export has the same ability and filters. */
const endpointNames: Record<ExportName, string> = {
  reports: 'reports.list',
  events: 'reports.events',
  exposures: 'exposures.list',
  properties: 'properties.list',
  territories: 'territories.list',
  deliveries: 'deliveries.list',
  transactions: 'credits.transactions',
}

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  geojson: 'application/geo+json',
}

type ExportRequest = FastifyRequest<{ Params: { file: string }; Querystring: Record<string, string | string[]> }>

/** An export, prepared at boot. */
interface MountedExport extends Export {
  row: Row
  operation: Operation
}

/** Mounts the lists of the contract as files, outside the contract: GET /exports/{name}.csv and, for lists with places, .geojson. */
export function mountExports(fastify: FastifyInstance, { app, rows }: Api): void {
  const mountedExports = Object.fromEntries(
    Object.entries(exportsByName).map(([name, one]) => [name, { ...one, ...listingOf(rows, name as ExportName) }]),
  )
  fastify.options('/exports/:file', { onRequest: answerPreflight(app) }, (_request, reply) => reply.callNotFound())
  fastify.get('/exports/:file', (request: ExportRequest, reply) => answerExport(app, mountedExports, request, reply))
}

function listingOf(rows: Api['rows'], name: ExportName): Pick<MountedExport, 'row' | 'operation'> {
  const row = rows.find(({ endpoint }) => endpoint.name === endpointNames[name])
  if (!row?.operation) throw new Error(`the export ${name} matches no list endpoint`)
  return { row, operation: row.operation }
}

async function answerExport(
  app: App,
  mounted: Record<string, MountedExport>,
  request: ExportRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await admitWithOrigin(app, request, reply)
  const { name, format, mountedExport } = exportNamed(request.params.file, mounted)
  addToRequestLog(request, { operation: `exports.${name}` })
  permit(caller, mountedExport.row.ability)
  countOpenExport(caller.team.id, reply)
  const pieces = await mountedExport.open(withinTeam(app, caller), caller, format, filtersOf(mountedExport.operation, request.query))
  const recheck = async () => permit(await caller.admitAgain(), mountedExport.row.ability)
  return sendFile(request, reply, pieces, recheck, { name, extension: format, media_type: mediaTypes[format], day: app.clock.now() })
}

/**
 * Exports of a team that a process sends at once: each keeps a page or two, a megabyte or two, in memory for as long as its client takes to
 * read it.
 */
const OPEN_MAX = 20
/** Seconds after which a refused export may be requested again. */
const RETRY_AFTER_S = 5
const sent = countBeingSent()

/** Counts an export, or a storm day as a file, until its response has ended. @throws Refusal `rate_limited` if too many of the team are open */
export function countOpenExport(team_id: string, reply: FastifyReply): void {
  if (sent.of(team_id) >= OPEN_MAX) throw retryLater('rate_limited', `At most ${OPEN_MAX} exports are sent at once.`, RETRY_AFTER_S)
  sent.add(team_id, 1, reply)
}

/** @throws Refusal 404 for an unknown file, and for .geojson of a list without places */
function exportNamed(
  file: string,
  mounted: Record<string, MountedExport>,
): { name: string; format: ExportFormat; mountedExport: MountedExport } {
  const [name = '', format, ...more] = file.split('.')
  const mountedExport = Object.hasOwn(mounted, name) ? mounted[name] : undefined
  if (!mountedExport)
    throw new Refusal('not_found', `There is no export called ${printableExcerpt(name)}; there are ${Object.keys(mounted).join(', ')}.`)
  const formats = exportFormats.filter((one) => one === 'csv' || mountedExport.has_places)
  if (!isOneOf(formats, format) || more.length > 0)
    throw new Refusal(
      'not_found',
      `There is no ${printableExcerpt(file)}; the export of ${name} is ${formats.map((one) => `${name}.${one}`).join(' or ')}.`,
    )
  return { name, format, mountedExport }
}

/** Reads the query as the list does. Unknown keys are passed on, to be refused by name. */
function filtersOf({ field }: Operation, query: Record<string, string | string[]>): Record<string, unknown> {
  const { args } = bindArguments(field.args, { path: {}, query, body: null })
  const names = Object.keys(query).map((name) => name.split('[', 1)[0] ?? name)
  return { ...Object.fromEntries(names.map((name) => [name, true])), ...args }
}
