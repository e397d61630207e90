import { isEngineUnavailable } from '#domain/kernel/engine-unavailable.ts'

/** Every refusal that a caller can cause, with the HTTP status that REST responds with and GraphQL reports. */
export const refusalStatus = {
  malformed_request: 400,
  unauthenticated: 401,
  plan_limit: 402,
  missing_ability: 403,
  missing_role: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  idempotency_in_flight: 409,
  duplicate_address: 409,
  destination_cap_reached: 409,
  url_required: 409,
  no_signing_secret: 409,
  report_not_ready: 409,
  property_not_located: 409,
  link_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  malformed_json: 422,
  rate_limited: 429,
  engine_unavailable: 503,
} as const

export type RefusalCode = keyof typeof refusalStatus

/** The plan limit that a 402 names. */
export const planLimits = [
  'api_access',
  'layout',
  'pdf_export',
  'properties',
  'territories',
  'territory_area',
  'watch_radius',
  'lookback',
  'credits',
  'lapsed',
] as const
export type PlanLimit = (typeof planLimits)[number]

/** Field (dot path for nested input) -> sentences about it. */
export type FieldErrors = Record<string, string[]>

/** The further keys of an error body; keys left out become null. */
export interface RefusalDetails {
  errors?: FieldErrors
  required_ability?: string
  required_plan?: string | null
  limit?: PlanLimit
  existing_id?: string
  /** Seconds. */
  retry_after?: number
  /** Methods that the path supports: the Allow header of a 405. */
  allow?: string[]
  /** Values of the rate headers of a 429. */
  rate?: Rate
}

/** The further keys of every error body, in REST and GraphQL, always present. */
export interface ErrorDetails {
  errors: FieldErrors | null
  required_ability: string | null
  required_plan: string | null
  limit: PlanLimit | null
  existing_id: string | null
  /** Seconds. */
  retry_after: number | null
}

/** Returns the further keys of an error body: null where the refusal has no value. */
export function detailsOf(details: RefusalDetails): ErrorDetails {
  const { errors, required_ability, required_plan, limit, existing_id, retry_after } = details
  return {
    errors: errors ?? null,
    required_ability: required_ability ?? null,
    required_plan: required_plan ?? null,
    limit: limit ?? null,
    existing_id: existing_id ?? null,
    retry_after: retry_after ?? null,
  }
}

/** The message for a fault of the service: only how to ask about it. */
export const faultMessage = (request_id: string) => `Something went wrong on our side. Quote request ${request_id} when asking about it.`

/** Seconds before a retry when an engine was unavailable. */
const UNAVAILABLE_RETRY_AFTER_S = 5

/** Returns the refusal for a fault: the fault itself, or a 503 if an engine was unavailable. Null: a fault of the service. */
export function refusalOf(fault: unknown): Refusal | null {
  if (fault instanceof Refusal) return fault
  if (!isEngineUnavailable(fault)) return null
  return retryLater('engine_unavailable', 'The service cannot answer at the moment.', UNAVAILABLE_RETRY_AFTER_S)
}

/**
 * Returns the refusal of a request that may be sent again after some seconds.
 * @param sentence why it is refused now
 */
export function retryLater(code: RefusalCode, sentence: string, retry_after: number): Refusal {
  return new Refusal(code, `${sentence} Try again in ${retry_after} s.`, { retry_after })
}

/**
 * The only error that a caller can cause. Any other error is a fault of the service: it is logged with the
 * request's id, and the response is a 500 that reveals nothing else.
 */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message)
    this.name = 'Refusal'
  }

  get status(): number {
    return refusalStatus[this.code]
  }
}

/** State of a rate limit after a request was counted. */
export interface Rate {
  limit: number
  remaining: number
  /** When the oldest counted request leaves the window; on a refusal, when the request would be allowed. */
  reset_at: Date
}
