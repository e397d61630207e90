/** Where spans are sent, under which service name, and how many of them. */
export interface TraceSettings {
  /** Base address of an OTLP collector, without the path of a signal. */
  endpoint: string
  /** Sent with every request; usually a token. */
  headers: Record<string, string>
  service_name: string
  /** Further resource attributes of the process. */
  attributes: Record<string, string>
  sampler: SamplerSetting
  /** Share of the traces started here that is kept, 0 to 1; used with `traceidratio`. */
  ratio: number
}

/** Which traces are kept; `parent_based`: for a trace that started elsewhere, the decision made there applies. */
interface SamplerSetting {
  root: 'always_on' | 'always_off' | 'traceidratio'
  parent_based: boolean
}

/** OTEL_TRACES_SAMPLER's names. */
export const samplers = {
  always_on: { root: 'always_on', parent_based: false },
  always_off: { root: 'always_off', parent_based: false },
  traceidratio: { root: 'traceidratio', parent_based: false },
  parentbased_always_on: { root: 'always_on', parent_based: true },
  parentbased_always_off: { root: 'always_off', parent_based: true },
  parentbased_traceidratio: { root: 'traceidratio', parent_based: true },
} as const satisfies Record<string, SamplerSetting>

/** The settings that are read. */
interface OtelSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS: Record<string, string>
  OTEL_SERVICE_NAME: string
  OTEL_RESOURCE_ATTRIBUTES: Record<string, string>
  OTEL_TRACES_SAMPLER: keyof typeof samplers
  OTEL_TRACES_SAMPLER_ARG: number
}

/** Returns the trace settings; null if no collector is set: tracing is off. */
export function traceSettingsOf(s: OtelSettings): TraceSettings | null {
  if (!s.OTEL_EXPORTER_OTLP_ENDPOINT) return null
  return {
    endpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: s.OTEL_EXPORTER_OTLP_HEADERS,
    service_name: s.OTEL_SERVICE_NAME,
    attributes: s.OTEL_RESOURCE_ATTRIBUTES,
    sampler: samplers[s.OTEL_TRACES_SAMPLER],
    ratio: s.OTEL_TRACES_SAMPLER_ARG,
  }
}
