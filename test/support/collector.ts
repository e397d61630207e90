import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PbfReader } from 'pbf'

/** A span as a collector receives it: opentelemetry/proto/trace/v1/trace.proto. */
export interface CollectedSpan {
  trace_id: string
  span_id: string
  /** Empty for the first span of a trace. */
  parent_id: string
  name: string
  kind: number
  facts: Record<string, string | number>
  /** The traces that it links to, besides its own. */
  links: string[]
  failed: boolean
}

/** An OTLP collector on loopback, over HTTP with bodies of protobuf. */
export interface Collector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  spans: CollectedSpan[]
  /** The attributes with which the process describes itself. */
  resources: Record<string, string | number>[]
  /** Everything that was sent, as text. */
  raw(): string
  requests: { path: string | undefined; headers: IncomingHttpHeaders }[]
  /** Returns a span's name and the names of its ancestors, innermost first. */
  lineage(span: CollectedSpan): string[]
  close(): Promise<void>
}

export async function openCollector(): Promise<Collector> {
  const bodies: Buffer[] = []
  const collector: Collector = {
    endpoint: '',
    spans: [],
    resources: [],
    requests: [],
    raw: () => Buffer.concat(bodies).toString('latin1'),
    lineage(span) {
      const parent = collector.spans.find(({ span_id, trace_id }) => span_id === span.parent_id && trace_id === span.trace_id)
      return [span.name, ...(parent ? collector.lineage(parent) : [])]
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    bodies.push(body)
    collector.requests.push({ path: request.url, headers: request.headers })
    take(new PbfReader(body), collector)
    response.writeHead(200, { 'content-type': 'application/x-protobuf', connection: 'close' }).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return collector
}

/** Calls the reader for each field of a message, by field number; skips fields without a reader. */
function fields(pbf: PbfReader, end: number, readers: Record<number, () => void>): void {
  pbf.readFields((tag) => readers[tag]?.(), undefined, end)
}
const endOf = (pbf: PbfReader) => pbf.readVarint() + pbf.pos
const hex = (pbf: PbfReader) => Buffer.from(pbf.readBytes()).toString('hex')

/** ExportTraceServiceRequest: its resources, their scopes, their spans. */
function take(pbf: PbfReader, { spans, resources }: Collector): void {
  const scopeSpans = () => fields(pbf, endOf(pbf), { 2: () => spans.push(spanOf(pbf)) })
  const resource = () => {
    const facts = {}
    fields(pbf, endOf(pbf), { 1: () => readFact(pbf, facts) })
    resources.push(facts)
  }
  const resourceSpans = () => fields(pbf, endOf(pbf), { 1: resource, 2: scopeSpans })
  fields(pbf, pbf.length, { 1: resourceSpans })
}

function spanOf(pbf: PbfReader): CollectedSpan {
  const span: CollectedSpan = { trace_id: '', span_id: '', parent_id: '', name: '', kind: 0, facts: {}, links: [], failed: false }
  fields(pbf, endOf(pbf), {
    1: () => {
      span.trace_id = hex(pbf)
    },
    2: () => {
      span.span_id = hex(pbf)
    },
    4: () => {
      span.parent_id = hex(pbf)
    },
    5: () => {
      span.name = pbf.readString()
    },
    6: () => {
      span.kind = pbf.readVarint()
    },
    9: () => readFact(pbf, span.facts),
    13: () => fields(pbf, endOf(pbf), { 1: () => span.links.push(hex(pbf)) }),
    15: () =>
      fields(pbf, endOf(pbf), {
        3: () => {
          span.failed = pbf.readVarint() === FAILED
        },
      }),
  })
  return span
}

/** STATUS_CODE_ERROR */
const FAILED = 2

/** KeyValue with a string, an integer or another value. */
function readFact(pbf: PbfReader, facts: Record<string, string | number>): void {
  let key = ''
  let value: string | number = ''
  const readValue = () =>
    fields(pbf, endOf(pbf), {
      1: () => {
        value = pbf.readString()
      },
      3: () => {
        value = pbf.readVarint(true)
      },
      4: () => {
        value = pbf.readDouble()
      },
    })
  fields(pbf, endOf(pbf), {
    1: () => {
      key = pbf.readString()
    },
    2: readValue,
  })
  facts[key] = value
}
