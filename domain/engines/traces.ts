import type * as otel from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '#domain/engines/log.ts'
import { codeOf } from '#domain/kernel/fault.ts'
import type { Span, SpanFacts, SpanKind } from '#domain/kernel/trace.ts'
import type { TraceSettings } from '#domain/kernel/trace-settings.ts'

/** Starts traces, and sends their spans to a collector over OTLP, in batches in the background. */
export interface Traces {
  /**
   * Starts the span of a served request or of a job.
   * @param from `parent`: the trace that it continues; `link`: a trace that it only refers to; `started_at`: start time, if earlier than now
   */
  begin(name: string, kind: SpanKind, from?: { parent?: string | null; link?: string | null; started_at?: Date; facts?: SpanFacts }): Span
  /** Sends the remaining finished spans, for LAST_SPANS_MS at most. */
  close(): Promise<void>
}

/** How long a stopping process waits for a collector that does not respond. */
const LAST_SPANS_MS = 3000

/** Opens OpenTelemetry tracing. The packages are loaded here, so that a process without tracing never loads them. */
export async function openTraces(settings: TraceSettings, log: Pick<Log, 'warn' | 'info'>): Promise<Traces> {
  // By their default exports: in the bundle a CommonJS module has no other.
  const [api, { default: sdk }, { default: otlp }, { default: resources }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const { endpoint, headers, attributes, service_name } = settings
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers })
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(sdk, settings),
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ ...attributes, 'service.name': service_name })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: loggingExporter(exporter, log) })],
  })
  const tracer = provider.getTracer('weather')
  const spanOf = (span: otel.Span): Span => wrap(api, tracer, span)
  return {
    begin: (name, kind, { parent, link, started_at, facts = {} } = {}) =>
      spanOf(
        tracer.startSpan(
          name,
          { kind: kindOf(api, kind), links: linksTo(link), attributes: plain(facts), ...(started_at && { startTime: started_at }) },
          contextOf(api, readTraceparent(parent)),
        ),
      ),
    async close() {
      await provider.forceFlush({ timeoutMillis: LAST_SPANS_MS }).catch(() => {})
      // Spans that could not be sent are dropped.
      void provider.shutdown().catch(() => {})
    },
  }
}

function wrap(api: typeof otel, tracer: otel.Tracer, span: otel.Span): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const traceparent = `00-${traceId}-${spanId}-${traceFlags & api.TraceFlags.SAMPLED ? '01' : '00'}`
  return {
    traceparent,
    trace_id: traceId,
    begin(name, { kind = 'internal', facts = {}, parent } = {}) {
      const context = readTraceparent(parent)
      const options = { kind: kindOf(api, kind), attributes: plain(facts), links: context ? linksTo(traceparent) : [] }
      return wrap(api, tracer, tracer.startSpan(name, options, contextOf(api, context ?? span.spanContext())))
    },
    note: (facts) => void span.setAttributes(plain(facts)),
    rename: (name) => void span.updateName(name),
    end(fault) {
      if (fault !== undefined) {
        span.setAttributes(plain({ 'error.type': codeOf(fault) ?? (fault instanceof Error ? fault.name : typeof fault) }))
        span.setStatus({ code: api.SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}

const kindOf = ({ SpanKind }: typeof otel, kind: SpanKind) =>
  ({
    internal: SpanKind.INTERNAL,
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER,
  })[kind]

const contextOf = ({ ROOT_CONTEXT, trace }: typeof otel, parent: otel.SpanContext | null) =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT

function linksTo(traceparent: string | null | undefined): otel.Link[] {
  const context = readTraceparent(traceparent)
  return context ? [{ context }] : []
}

/** Parses a W3C Trace Context header, version 00; null if invalid. */
function readTraceparent(text: string | null | undefined): otel.SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? []
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** A name or an id. It excludes values passed by mistake: an address has a space, a URL a slash, and an e-mail address an @. */
const PLAIN = /^[\w.:-]{1,64}$/

function plain(facts: SpanFacts): otel.Attributes {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value === 'number' || PLAIN.test(value ?? '')))
}

type Sdk = typeof import('@opentelemetry/sdk-trace')

function samplerOf(sdk: Sdk, { sampler, ratio }: TraceSettings) {
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[sampler.root]()
  return sampler.parent_based ? new sdk.ParentBasedSampler({ root }) : root
}

/** Logs once when spans cannot be sent, and once when they can be sent again. */
function loggingExporter(exporter: SpanExporter, log: Pick<Log, 'warn' | 'info'>): SpanExporter {
  let lost = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined
        if (failed && !lost) log.warn({ reason: codeOf(result.error) ?? result.error?.name }, 'spans could not be sent to the collector')
        if (!failed && lost) log.info('spans are sent to the collector again')
        lost = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
