import type * as otel from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '#domain/engines/log.ts'
import { codeOf } from '#domain/kernel/fault.ts'
import type { Span, SpanFacts, SpanKind } from '#domain/kernel/trace.ts'
import type { TraceSettings } from '#domain/kernel/trace-settings.ts'

/** Begins traces, and sends their spans to a collector over OTLP, in batches and behind the work. */
export interface Traces {
  /**
   * Begins a span at the edge of the process: of an answer to somebody, or of a job.
   * @param from `parent`: the trace that it goes on; `link`: one that it only names; `began`: where that was before now
   */
  begin(name: string, kind: SpanKind, from?: { parent?: string | null; link?: string | null; began?: Date; facts?: SpanFacts }): Span
  /** Sends what has ended, for some seconds at most. */
  close(): Promise<void>
}

/** A stop of the process waits no longer for a collector that does not answer. */
const LAST_SPANS_MS = 3000

/** Opens the tracing of OpenTelemetry, whose packages are loaded here: a process that traces nothing never reads them. */
export async function openTraces(settings: TraceSettings, log: Pick<Log, 'warn' | 'info'>): Promise<Traces> {
  // By their defaults: packed, a CommonJS module has no other name.
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
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: heardExporter(exporter, log) })],
  })
  const tracer = provider.getTracer('weather')
  const spanOf = (span: otel.Span): Span => wrap(api, tracer, span)
  return {
    begin: (name, kind, { parent, link, began, facts = {} } = {}) =>
      spanOf(
        tracer.startSpan(
          name,
          { kind: kindOf(api, kind), links: linksTo(link), attributes: plain(facts), ...(began && { startTime: began }) },
          contextOf(api, readTraceparent(parent)),
        ),
      ),
    async close() {
      await provider.forceFlush({ timeoutMillis: LAST_SPANS_MS }).catch(() => {})
      // Nothing is left to be sent: what could not be is given up.
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
      const given = readTraceparent(parent)
      const options = { kind: kindOf(api, kind), attributes: plain(facts), links: given ? linksTo(traceparent) : [] }
      return wrap(api, tracer, tracer.startSpan(name, options, contextOf(api, given ?? span.spanContext())))
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

/** The header of W3C Trace Context, in the one version that there is; null where it is none. */
function readTraceparent(text: string | null | undefined): otel.SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? []
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** A name or an id of ours. An address has a space, a url a slash and a mail address an @, if ever one were given by mistake. */
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

/** Says once that spans could not be sent, and once that they are again. */
function heardExporter(exporter: SpanExporter, log: Pick<Log, 'warn' | 'info'>): SpanExporter {
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
