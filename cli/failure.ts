/** Exit statuses of the terminal program, for scripts. */
export const exits = {
  ok: 0,
  failure: 1,
  usage: 2,
  not_found: 3,
  auth: 4,
  plan_or_credits: 5,
  conflict: 6,
  validation: 7,
  rate_limited: 8,
  /** A failed report, or evidence that does not match. */
  failed_or_mismatch: 9,
  /** A file that agrees with itself, but was not compared with anything outside it. */
  unconfirmed: 10,
  /** A log that contradicts an earlier checkpoint, or that ended. */
  forked: 11,
  /** Still pending after the wait: EX_TEMPFAIL of sysexits. */
  pending: 75,
  interrupted: 130,
} as const

export type ExitStatus = (typeof exits)[keyof typeof exits]

/** A failure with a message for the user and an exit status. */
export interface Failure extends Error {
  exit_status: ExitStatus
  /** The server's error object, if the server refused. */
  body: unknown
}

/**
 * Makes a failure.
 * @param body the server's error object, if the server refused
 */
export function failure(exit_status: ExitStatus, message: string, body: unknown = null): Failure {
  return Object.assign(new Error(message), { exit_status, body })
}

/** Whether a fault has a message for the user and an exit status. */
export function isFailure(fault: unknown): fault is Failure {
  return fault instanceof Error && 'exit_status' in fault
}

/** Seconds after which the request may be retried; null if the service did not state it. */
export function retryAfterOf(fault: unknown): number | null {
  if (!isFailure(fault) || !('retry_after' in fault) || typeof fault.retry_after !== 'number') return null
  return Math.min(fault.retry_after, TIMER_SECONDS_MAX)
}

/** A longer timer would fire immediately. */
const TIMER_SECONDS_MAX = 2_147_483

/** A failure of the connection, not of the service: the request may be retried. */
export const lost = (message: string) => Object.assign(failure(exits.failure, message), { lost: true })

/** Whether the connection failed, so that the request may be repeated. */
export const isLost = (fault: unknown) => isFailure(fault) && 'lost' in fault

/** The exit status for an HTTP status. */
export function exitOf(status: number): ExitStatus {
  if (status === 401 || status === 403) return exits.auth
  if (status === 402) return exits.plan_or_credits
  if (status === 404) return exits.not_found
  if (status === 409) return exits.conflict
  if (status === 400 || status === 413 || status === 415 || status === 422) return exits.validation
  return status === 429 ? exits.rate_limited : exits.failure
}
