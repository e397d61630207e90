import { refusalStatus } from '#domain/kernel/refusal.ts'
import type { Answer } from './client.ts'
import type { GraphCase } from './graph-cases.ts'
import { ANSWER_WITHIN_MS, WITHIN } from './rest-check.ts'

/** The parts of a GraphQL response, all optional. */
export interface Answered {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: { code?: string; status?: number; request_id?: string } }[]
}

/** Statuses of a GraphQL response, or of a request that is refused as a whole. */
const STATUSES = [200, 400, 401, 405, 413, 415, 429]
/** Statuses other than success that are no fault here. */
const NAMED_FAULTS = ['engine_unavailable']
/** The part of the request that a GraphQL message quotes. */
const ECHO = /\bvalue:? "(?:[^"\\]|\\.)*"/g
const statusOfCode: Record<string, number> = refusalStatus

/** The GraphQL response; null if it is not a JSON object. */
export function readAnswer({ body }: Answer): Answered | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Returns what is wrong with a response to a case; null if nothing is. */
export function objectionTo({ field, forbidden, kind }: GraphCase, answer: Answer): string | null {
  if (answer.ms > ANSWER_WITHIN_MS) return `took ${Math.round(answer.ms)} ms`
  if (!STATUSES.includes(answer.status)) return `${answer.status}`
  if (!answer.headers['x-request-id']) return 'no X-Request-Id'
  const answered = readAnswer(answer)
  if (!answered) return 'the answer is no JSON object'
  for (const error of answered.errors ?? []) {
    const objection = objectionToError(error, String(answer.headers['x-request-id']))
    if (objection) return objection
  }
  if (answered.errors) return answered.errors.length === 0 ? 'errors, and none in them' : null
  if (forbidden) return 'answered to variables that the types forbid'
  if (kind !== 'fit' || field.answers(answered.data)) return null
  return `the data is not as the schema has it: ${JSON.stringify(field.answers.errors?.[0])}`
}

function objectionToError({ message, extensions }: NonNullable<Answered['errors']>[number], request_id: string): string | null {
  const { code = '', status } = extensions ?? {}
  if (code === 'server_error') return 'server_error'
  if (statusOfCode[code] !== status) return `${code} says ${status}`
  if (Number(status) >= 500 && !NAMED_FAULTS.includes(code)) return `${status} ${code}`
  if (extensions?.request_id !== request_id) return 'the request id of an error is another than the header has'
  return WITHIN.test(message.replace(ECHO, '')) ? `reports its inside: ${message}` : null
}
