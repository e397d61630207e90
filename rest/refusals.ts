import type { FastifyRequest } from 'fastify'
import { detailsOf, type ErrorDetails, faultMessage, Refusal, refusalOf } from '#domain/kernel/refusal.ts'
import { refusalHeaders } from '#domain/kernel/refusal-headers.ts'
import { refusalOfBody } from '#graphql/body.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { Answer } from '#rest/exchange.ts'

/** The error body. All keys are always present. */
export interface ErrorBody extends ErrorDetails {
  object: 'error'
  status: number
  code: string
  message: string
  request_id: string
}

/** The largest body that the host reads where a route states no other limit: Fastify's own. */
const HOST_BODY_LIMIT = '1 MiB'

/** Builds the response to a thrown error. Errors other than Refusals are logged: an unavailable engine as a warning, our own faults as errors. */
export function refuseFault(error: unknown, request: FastifyRequest, logMessage = 'request failed'): Answer {
  const { id, log, logged } = request
  const fault = refusalOfBody(error, request, HOST_BODY_LIMIT) ?? error
  const entry = { err: fault, request_id: id, team_id: logged?.team_id }
  if (refusalOf(fault) === null) log.error(entry, logMessage)
  else if (!(fault instanceof Refusal)) log.warn(entry, 'an engine is unavailable')
  return refuse(fault, id)
}

/** Builds the response to a thrown error. Only a Refusal shows its message, and an unavailable engine counts as one; other errors show no details. */
export function refuse(error: unknown, request_id: string): Answer {
  const { status, code, message, details } = refusalOf(error) ?? serverError(request_id)
  const body: ErrorBody = { object: 'error', status, code, message, ...detailsOf(details), request_id }
  return { status, refused: code, body: JSON.stringify(body), content_type: JSON_TYPE, headers: refusalHeaders({ status, details }) }
}

const serverError = (request_id: string): Pick<Refusal, 'status' | 'message' | 'details'> & { code: string } => ({
  status: 500,
  code: 'server_error',
  message: faultMessage(request_id),
  details: {},
})
