import { Refusal, type RefusalDetails } from '#domain/refusal.ts'
import { JSON_TYPE } from '#rest/answers.ts'
import type { Answer } from '#rest/exchange.ts'
import { refusedRateHeaders } from '#rest/throttle.ts'

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

/** The answer to what was thrown. Only a Refusal speaks; anything else is a fault of ours and says nothing. */
export function refuse(error: unknown, request_id: string): Answer {
  const { status, code, message, details } = error instanceof Refusal ? error : faultOfOurs(request_id)
  return {
    status,
    body: JSON.stringify(errorBody({ status, code, message }, details, request_id)),
    content_type: JSON_TYPE,
    headers: refusalHeaders(status, details),
  }
}

function faultOfOurs(request_id: string): { status: number; code: string; message: string; details: RefusalDetails } {
  return {
    status: 500,
    code: 'server_error',
    message: `Something went wrong on our side. Quote request ${request_id} when asking about it.`,
    details: {},
  }
}

function errorBody(said: Pick<ErrorBody, 'status' | 'code' | 'message'>, details: RefusalDetails, request_id: string): ErrorBody {
  return {
    object: 'error',
    ...said,
    errors: details.errors ?? null,
    required_ability: details.required_ability ?? null,
    required_plan: details.required_plan ?? null,
    limit: details.limit ?? null,
    existing_id: details.existing_id ?? null,
    retry_after: details.retry_after ?? null,
    request_id,
  }
}

function refusalHeaders(status: number, details: RefusalDetails): Record<string, string> {
  return {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(details.allow && { allow: details.allow.join(', ') }),
    ...(details.retry_after !== undefined && { 'retry-after': String(details.retry_after) }),
    ...(details.rate && refusedRateHeaders(details.rate)),
  }
}
