import type { Rate } from '#domain/engines/limiter.ts'

/** Where a token stands within its minute: on every answer to a token that is in force. */
export function rateHeaders(rate: Rate): Record<string, string> {
  return { 'x-ratelimit-limit': String(rate.limit), 'x-ratelimit-remaining': String(rate.remaining) }
}

/** And, once refused, when there is room again, in seconds since 1970. */
export function refusedRateHeaders(rate: Rate): Record<string, string> {
  return { ...rateHeaders(rate), 'x-ratelimit-reset': String(Math.ceil(rate.reset_at.getTime() / 1000)) }
}
