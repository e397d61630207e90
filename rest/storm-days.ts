import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { permit } from '#domain/access/permit.ts'
import { withinTeam } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { exportStormDay } from '#domain/exports/storm-day.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { admitToken } from '#graphql/admit.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { countOpenExport } from '#rest/exports.ts'
import { sendFile } from '#rest/send-file.ts'

const EXTENSION = '.csv'
const ABILITY = 'exposures:read'

type StormDayRequest = FastifyRequest<{ Params: { file: string }; Querystring: Record<string, unknown> }>

/** Mounts a storm day's watched places as a file, outside the contract: GET /storms/{date}.csv?at_least_in=&subject=. */
export function mountStormDays(fastify: FastifyInstance, app: App): void {
  fastify.get('/storms/:file', (request: StormDayRequest, reply) => answerStormDay(app, request, reply))
}

async function answerStormDay(app: App, request: StormDayRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await admitToken(app, request, reply)
  addToRequestLog(request, { operation: 'storms' })
  permit(caller, ABILITY)
  const { file } = request.params
  if (!file.endsWith(EXTENSION)) throw new Refusal('not_found', 'There is nothing at this path.')
  countOpenExport(caller.team.id, reply)
  const { at_least_in, date, ...rest } = request.query
  if (date !== undefined) refuseField('date', 'The date is the name of the file.')
  const sent = { ...rest, ...(at_least_in !== undefined && { at_least_in: numberOf(at_least_in) }), date: file.slice(0, -EXTENSION.length) }
  const pieces = exportStormDay(withinTeam(app, caller), caller, sent)
  const recheck = async () => permit(await caller.admitAgain(), ABILITY)
  return sendFile(request, reply, pieces, recheck, {
    name: `storm-day-${sent.date}`,
    extension: 'csv',
    media_type: 'text/csv; charset=utf-8; header=present',
    day: app.clock.now(),
  })
}

/** Converts a number of the query. Other text is passed on, to be refused by name. */
const numberOf = (sent: unknown) => (typeof sent === 'string' && /^\d+(\.\d+)?$/.test(sent) ? Number(sent) : sent)
