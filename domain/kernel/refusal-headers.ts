import type { Rate, Refusal } from '#domain/kernel/refusal.ts'

/** Returns the response headers of a refused request, for REST and GraphQL. */
export function refusalHeaders({ status, details }: Pick<Refusal, 'status' | 'details'>): Record<string, string> {
  return {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(details.allow && { allow: details.allow.join(', ') }),
    ...(details.retry_after !== undefined && { 'retry-after': String(details.retry_after) }),
    ...(details.rate && { ...rateHeaders(details.rate), 'x-ratelimit-reset': String(Math.ceil(details.rate.reset_at.getTime() / 1000)) }),
  }
}

/** Returns the rate limit headers: they are on every response to a valid token. */
export function rateHeaders({ limit, remaining }: Rate): Record<string, string> {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }
}
