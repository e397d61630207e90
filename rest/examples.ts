import type { EventName } from '#domain/events/catalogue.ts'
import type { RefusalCode } from '#domain/kernel/refusal.ts'
import made from '#rest/examples.json' with { type: 'json' }

/** Example request and responses of an operation. */
export interface OperationExamples {
  parameters: Record<string, unknown>
  request?: unknown
  /** By status; none for responses without JSON. */
  answers: Record<string, unknown>
}

/** Recorded requests and responses of the made-up storm day. `npm run examples:print` records them again. */
export interface Examples {
  operations: Record<string, OperationExamples>
  refusals: Partial<Record<RefusalCode | 'server_error', unknown>>
  webhooks: Partial<Record<EventName, unknown>>
}

/** Placeholder for the URL of the installation in every example. */
export const BASE_URL = 'https://weather.example.com'

/** The examples, with the URLs of this installation. */
export function examplesOf(base_url: string): Examples {
  return JSON.parse(JSON.stringify(made).replaceAll(BASE_URL, base_url)) as Examples
}
