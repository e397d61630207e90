import type { EventName } from '#domain/events/catalogue.ts'
import type { RefusalCode } from '#domain/kernel/refusal.ts'
import made from '#rest/examples.json' with { type: 'json' }

/** What was sent to an operation once, and answered. */
export interface OperationExamples {
  parameters: Record<string, unknown>
  request?: unknown
  /** By status; none for answers without JSON. */
  answers: Record<string, unknown>
}

/** Requests and answers of the made-up storm day, as the service gave them: `npm run examples:print` makes them anew. */
export interface Examples {
  operations: Record<string, OperationExamples>
  refusals: Partial<Record<RefusalCode | 'server_error', unknown>>
  webhooks: Partial<Record<EventName, unknown>>
}

/** Stands for the address of the install in every example. */
export const BASE_URL = 'https://weather.example.com'

/** The examples, with the addresses of this install. */
export function examplesOf(base_url: string): Examples {
  return JSON.parse(JSON.stringify(made).replaceAll(BASE_URL, base_url)) as Examples
}
