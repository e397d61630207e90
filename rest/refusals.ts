import type { FastifyRequest } from 'fastify'
import { detailsOf, faultMessage, Refusal, refusalOf } from '#domain/kernel/refusal.ts'
import { refusalHeaders } from '#domain/kernel/refusal-headers.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { Answer } from '#rest/exchange.ts'

/** The one body of every answer that is not a success; all keys always. */
export interface ErrorBody {
  object: 'error'
  status: number
  code: string
  message: string
  errors: Record<string, string[]> | null
  required_ability: string | null
  required_plan: string | null
  limit: string | null
  existing_id: string | null
  /** Seconds. */
  retry_after: number | null
  request_id: string
}

/** The answer to what a request threw, which is logged where no Refusal was thrown: a fault of ours as an error, an engine that is away as a warning. */
export function refuseFault(error: unknown, { id, log, logged }: FastifyRequest, what = 'request failed'): Answer {
  const entry = { err: error, request_id: id, team_id: logged?.team_id }
  if (refusalOf(error) === null) log.error(entry, what)
  else if (!(error instanceof Refusal)) log.warn(entry, 'an engine is away')
  return refuse(error, id)
}

/** The answer to what was thrown. Only a Refusal speaks, and an engine that is away is one; anything else is a fault of ours and says nothing. */
export function refuse(error: unknown, request_id: string): Answer {
  const { status, code, message, details } = refusalOf(error) ?? faultOfOurs(request_id)
  const body: ErrorBody = { object: 'error', status, code, message, ...detailsOf(details), request_id }
  return { status, refused: code, body: JSON.stringify(body), content_type: JSON_TYPE, headers: refusalHeaders({ status, details }) }
}

const faultOfOurs = (request_id: string): Pick<Refusal, 'status' | 'message' | 'details'> & { code: string } => ({
  status: 500,
  code: 'server_error',
  message: faultMessage(request_id),
  details: {},
})
