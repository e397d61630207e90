import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Attributes of a span: numbers, names from the code, and ids. Any other value is dropped when the span is written, so that
 * no address, token, contact or URL gets into a trace.
 */
export type SpanFacts = Partial<
  Record<
    | 'http.request.method'
    | 'http.response.status_code'
    | 'error.type'
    | `weather.${'operation' | 'refused' | 'job' | 'event' | 'channel' | 'outcome'}`
    | `weather.${'records' | 'bytes' | 'attempt' | 'wait_ms'}`
    | `weather.${string}_id`,
    string | number | undefined
  >
>

/** A unit of work in a trace, with a start and an end. */
export interface Span {
  /** Its position in the trace, in the format of the W3C Trace Context header `traceparent`. */
  readonly traceparent: string
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** Starts a child span. With `parent`, the child belongs to that span, in this trace or another, and is linked to this one. */
  begin(name: string, options?: { kind?: SpanKind; facts?: SpanFacts; parent?: string | null }): Span
  note(facts: SpanFacts): void
  /** For a span whose name is known only at its end. */
  rename(name: string): void
  /** @param fault the error that ended it; its kind is recorded, never its message */
  end(fault?: unknown): void
}

/** Work inside the service; a request served; a request sent; a job queued; a job processed. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** The span of the current work. */
const active = new AsyncLocalStorage<Span>()

/** Returns the current span; undefined if tracing is off. */
export const activeSpan = (): Span | undefined => active.getStore()

/** Returns the current position in the trace, to store with staged jobs; null if tracing is off. */
export const traceparent = (): string | null => active.getStore()?.traceparent ?? null

/** Runs work in a span that the caller ends; without a span it just runs. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? active.run(span, work) : work()
}

/**
 * Runs work in a child of the current span, if there is one.
 * @param work receives a function that adds attributes to the child
 */
export async function inSpan<Result>(
  name: string,
  options: { kind?: SpanKind; facts?: SpanFacts; parent?: string | null },
  work: (note: (facts: SpanFacts) => void) => Promise<Result>,
): Promise<Result> {
  const span = active.getStore()?.begin(name, options)
  if (!span) return work(() => {})
  return runSpan(span, () => work((facts) => span.note(facts)))
}

/** Runs work in a span, and ends the span with it. */
export async function runSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await active.run(span, work)
    span.end()
    return result
  } catch (fault) {
    span.end(fault)
    throw fault
  }
}
