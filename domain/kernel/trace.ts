import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * What a span says beside its name: numbers, names of ours and ids. Whatever else is given as a value is left out when it is written, so that
 * no address, token, contact or url comes into one.
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

/** A piece of work with a beginning and an end, as a part of a trace. */
export interface Span {
  /** Its place in its trace, as `traceparent` of W3C Trace Context has it. */
  readonly traceparent: string
  /** The trace, in 32 digits of hexadecimal. */
  readonly trace_id: string
  /** Begins a part of it; or of the span that `parent` names, in this trace or another: then it is linked to this one. */
  begin(name: string, options?: { kind?: SpanKind; facts?: SpanFacts; parent?: string | null }): Span
  note(facts: SpanFacts): void
  /** Where it is known only at its end what it was. */
  rename(name: string): void
  /** @param fault what ended it; its kind is noted, never its message */
  end(fault?: unknown): void
}

/** Within the service; an answer to somebody; a question to somebody; a job handed over; a job taken. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** The span in which the present work is done. */
const active = new AsyncLocalStorage<Span>()

/** The span in which the caller works; undefined where nothing is traced. */
export const activeSpan = (): Span | undefined => active.getStore()

/** The place of the present work in its trace, to be kept with what it leaves to be done; null where nothing is traced. */
export const traceparent = (): string | null => active.getStore()?.traceparent ?? null

/** Does work in a span that somebody else ends; without one it is simply done. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? active.run(span, work) : work()
}

/**
 * Does work as a part of the span in which it is asked for, where there is one.
 * @param work is given what notes the facts that come of it
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

/** Does work in a span, and ends it with the work. */
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
