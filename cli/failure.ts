/** Exit statuses of the terminal program: a script learns from them what went wrong. */
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
  /** A report that failed, or evidence that is not what it says it is. */
  failed_or_mismatch: 9,
  /** A file that agrees with itself, and with nothing outside it. */
  unconfirmed: 10,
  /** A log that contradicts what it said before. */
  forked: 11,
  /** Not there yet, and the wait is over: EX_TEMPFAIL of sysexits. */
  pending: 75,
  interrupted: 130,
} as const

export type ExitStatus = (typeof exits)[keyof typeof exits]

/** A failure whose message the user reads, with the exit status. */
export interface Failure extends Error {
  exit_status: ExitStatus
  /** The server's error object, where the server refused. */
  body: unknown
}

export function failure(exit_status: ExitStatus, message: string, body: unknown = null): Failure {
  return Object.assign(new Error(message), { exit_status, body })
}

export function isFailure(fault: unknown): fault is Failure {
  return fault instanceof Error && 'exit_status' in fault
}

/** Seconds after which the service may be asked again; null where it did not say. */
export function retryAfterOf(fault: unknown): number | null {
  if (!isFailure(fault) || !('retry_after' in fault) || typeof fault.retry_after !== 'number') return null
  return Math.min(fault.retry_after, TIMER_SECONDS_MAX)
}

/** A timer that is set for longer goes off at once. */
const TIMER_SECONDS_MAX = 2_147_483

/** A failure of the connection, not of the service: what was asked may be asked again. */
export const lost = (message: string) => Object.assign(failure(exits.failure, message), { lost: true })

export const isLost = (fault: unknown) => isFailure(fault) && 'lost' in fault

/** The exit status that stands for an HTTP status. */
export function exitOf(status: number): ExitStatus {
  if (status === 401 || status === 403) return exits.auth
  if (status === 402) return exits.plan_or_credits
  if (status === 404) return exits.not_found
  if (status === 409) return exits.conflict
  if (status === 400 || status === 413 || status === 415 || status === 422) return exits.validation
  return status === 429 ? exits.rate_limited : exits.failure
}
