import type { Rate, Refusal } from '#domain/kernel/refusal.ts'

/** What a refusal of a whole request says in headers, in REST and in GraphQL. */
export function refusalHeaders({ status, details }: Pick<Refusal, 'status' | 'details'>): Record<string, string> {
  return {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(details.allow && { allow: details.allow.join(', ') }),
    ...(details.retry_after !== undefined && { 'retry-after': String(details.retry_after) }),
    ...(details.rate && { ...rateHeaders(details.rate), 'x-ratelimit-reset': String(Math.ceil(details.rate.reset_at.getTime() / 1000)) }),
  }
}

/** Where a token stands within its minute: on every answer to a token that is in force. */
export function rateHeaders({ limit, remaining }: Rate): Record<string, string> {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }
}
