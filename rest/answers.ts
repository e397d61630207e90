import type { Answer, Endpoint, Envelope, OperationResult } from '#rest/exchange.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Builds the response of an endpoint: the result in the endpoint's envelope, with its status, or 200 for a replay. */
export function answer(endpoint: Endpoint, result: OperationResult, replayed: boolean): Answer {
  return {
    status: replayed ? 200 : statusOf(endpoint, result.value),
    body: wrapByEnvelope[endpoint.as](result.text),
    content_type: JSON_TYPE,
    headers: replayed ? { 'idempotent-replay': 'true' } : {},
  }
}

/** A JSON response without an envelope. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, body: JSON.stringify(value), content_type: JSON_TYPE, headers }
}

/** Inserts the text unchanged, so that a response is serialised only once. */
const wrapByEnvelope: Record<Envelope, (text: string) => string | null> = {
  data: (text) => `{"data":${text}}`,
  bare: (text) => text,
  page: (text) => text,
  list: (text) => (text.startsWith('[') ? `{"object":"list","data":${text}}` : text),
  empty: () => null,
  bytes: (text) => text,
}

/** 207: the rows of a batch have different outcomes, and each states its own. */
const MULTI_STATUS = 207

function statusOf({ status }: Endpoint, value: unknown): number {
  if (typeof status === 'number') return status
  if ('undelivered' in status) return (value as { delivered: boolean }).delivered ? 200 : status.undelivered
  return everyRowSucceeded(value as Batch) ? status.all : MULTI_STATUS
}

interface Batch {
  submitted: number
  accepted?: number
  created?: number
}

function everyRowSucceeded(batch: Batch): boolean {
  return (batch.accepted ?? batch.created) === batch.submitted
}
