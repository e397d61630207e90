import type { JsonSchema } from '#domain/kernel/fields.ts'
import { refuseUnknown } from '#domain/kernel/form.ts'
import { gatherFaults, validationFailed } from '#domain/kernel/validation.ts'
import { reportForm } from '#domain/reports/check-request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Api } from '#rest/exchange.ts'
import { namedSchemas } from '#rest/json-schemas.ts'
import { argumentRefused, CallRefused, type Calls, type RestCall } from '#rest/mcp/calls.ts'
import { figuresOf, withoutBareFigures } from '#rest/mcp/figures.ts'
import { inputSchemaOf } from '#rest/mcp/input-schema.ts'

/** A tool for one endpoint of the table. It has the endpoint's summary, arguments and ability. */
export interface ToolRow {
  name: string
  /** The name of the endpoint. */
  endpoint: string
  /** What a model must know besides the endpoint's summary. */
  guidance: string
  /** Whether it is read-only. */
  read_only: boolean
  /** Additional arguments of the tool. */
  extra_arguments?: Record<string, JsonSchema>
  /** Its implementation, if it is more than one call of its endpoint. */
  run?: (calls: Calls, sent: ToolInput, call: RestCall) => Promise<unknown>
}

type ToolInput = Record<string, unknown>

const ABSENCE =
  'An empty result does not show that nothing happened there: coverage states which sources and months the archive had, and which it lacked.'
const KINDS = 'Never mix reports and measurements with radar estimates: each record states which it is, and its citation.'

const PREVIEW = `query (
    $address: String, $latitude: Float, $longitude: Float, $window_start: Date!, $window_end: Date!, $radius_miles: Float, $as_of: DateTime,
    $date_of_loss: Date, $reference: String, $recipient: String, $property_id: UUID, $layout: LayoutInput) {
  reportPreview(
    address: $address, latitude: $latitude, longitude: $longitude, window_start: $window_start, window_end: $window_end,
    radius_miles: $radius_miles, as_of: $as_of, date_of_loss: $date_of_loss, reference: $reference, recipient: $recipient, property_id: $property_id, layout: $layout) {
    address { query latitude longitude precision } failure_reason failure_message window { start end radius_miles narrowed_by_plan }
    coverage { complete provisional summary sources_searched } event_count records_without_point types { type event_count evidence_kinds } day_count
    days { date records hail { ground { range } radar { range } } wind { ground { range } instrument { range } } tornado relation }
    cost balance } }`

/** @throws CallRefused also for arguments that a report does not accept: GraphQL would ignore a variable that the document does not declare */
async function preview(calls: Calls, sent: ToolInput) {
  const faults = gatherFaults()
  refuseUnknown(reportForm, sent, faults)
  if (Object.keys(faults.found).length > 0) {
    const { code, message } = validationFailed(faults.found)
    throw new CallRefused({ status: 422, code, message, errors: faults.found })
  }
  return {
    preview: await calls.graph(PREVIEW, sent),
    note: 'A preview is not evidence: sizes are bands, and nothing is cited. Nothing was spent.',
  }
}

/** Returns undefined for null, which models send for an argument that they leave out. @throws CallRefused unless it is a text */
function idempotencyKeyOf(sent: unknown): string | undefined {
  if (sent == null) return undefined
  if (typeof sent === 'string') return sent
  throw argumentRefused('idempotency_key', 'The idempotency_key must be a text.')
}

/** Every tool, in the order in which an assistant uses them. */
export const toolRows: readonly ToolRow[] = [
  {
    name: 'search_places',
    endpoint: 'places.list',
    guidance: 'Towns of the United States with their coordinates.',
    read_only: true,
  },
  {
    name: 'preview_report',
    endpoint: 'reports.create',
    guidance: `Free of charge: returns the location of an address, what the archive has for the window, and what is on record on how many days. It gives counts and bands, no figures to quote. ${ABSENCE}`,
    read_only: true,
    run: preview,
  },
  {
    name: 'create_report',
    endpoint: 'reports.create',
    guidance:
      'It costs one credit. Without confirm: true nothing is spent and a preview is returned: ask the person first. The report starts as pending; read it with read_report a second later.',
    read_only: false,
    extra_arguments: {
      confirm: { type: 'boolean', description: 'True only if the person agreed to spend one credit.' },
      idempotency_key: {
        type: 'string',
        description:
          'Your own idempotency key: a repeat with the same key spends nothing and returns the same report, with replayed: true.',
      },
    },
    async run(calls, sent, call) {
      const { confirm, idempotency_key, ...input } = sent
      const key = idempotencyKeyOf(idempotency_key)
      if (confirm !== true)
        return { spent: 0, next: 'Call again with confirm: true once the person agrees.', ...(await preview(calls, input)) }
      const { body, replayed } = await calls.restOnce<{ data: ReportView }>({ ...call, body: input, key })
      return { report: body.data, ...(replayed && { replayed }) }
    },
  },
  { name: 'list_reports', endpoint: 'reports.list', guidance: 'Read one with read_report.', read_only: true },
  {
    name: 'read_report',
    endpoint: 'reports.show',
    guidance: `Quote its sentences unchanged. figures lists each figure with the record that states it, the kind of evidence and the citation; figures_without_record names those whose record was not found: seek it with report_records. ${KINDS} ${ABSENCE}`,
    read_only: true,
    async run(calls, _sent, call) {
      const { data: report } = await calls.rest<{ data: ReportView }>(call)
      if (report.status !== 'complete') return { report }
      const { figures, uncited } = await figuresOf(calls, report)
      return { report: withoutBareFigures(report), figures, ...(uncited.length > 0 && { figures_without_record: uncited }) }
    },
  },
  {
    name: 'report_records',
    endpoint: 'reports.events',
    guidance: `provenance.citation_url is where the source publishes a record, provenance.evidence_kind is how it was observed, and caveats lists doubts about it. ${KINDS}`,
    read_only: true,
  },
  {
    name: 'verify_report',
    endpoint: 'reports.verification',
    guidance: 'What anyone needs to check it without the service.',
    read_only: true,
  },
  {
    name: 'list_exposures',
    endpoint: 'exposures.list',
    guidance: 'largest_measured_in comes from people and instruments, largest_detected_in from radar estimates.',
    read_only: true,
  },
  {
    name: 'acknowledge_exposure',
    endpoint: 'exposures.acknowledge',
    guidance: 'It leaves the inbox. Reopening returns it.',
    read_only: false,
  },
  {
    name: 'storm_day',
    endpoint: 'maps.playback',
    guidance: `The course of a storm day over a box: when radar saw hail, the largest size that it estimated, and what was reported. ${KINDS}`,
    read_only: true,
    async run(calls, _sent, call) {
      const { moments, ...day } = await calls.rest<PlaybackDay>(call)
      const cells = moments.flatMap(({ at, cells }) => cells.map((cell) => ({ at, ...cell })))
      const [largest] = cells.sort((one, other) => other.mesh_in - one.mesh_in)
      return { ...day, radar_estimated: { moments: moments.length, largest: largest ?? null } }
    },
  },
]

interface PlaybackDay {
  moments: { at: string; cells: { latitude: number; longitude: number; mesh_in: number }[] }[]
}

/** A tool, ready to be offered. */
export interface Tool {
  row: ToolRow
  description: string
  input: JsonSchema
  run(calls: Calls, sent: ToolInput): Promise<unknown>
}

/** @throws Error naming an endpoint that is not in the table */
export function toolsOf({ rows, schema }: Pick<Api, 'rows' | 'schema'>): Tool[] {
  const named = namedSchemas(schema)
  return toolRows.map((row) => {
    const found = rows.find(({ endpoint }) => endpoint.name === row.endpoint)
    if (!found) throw new Error(`the tool ${row.name} matches no endpoint`)
    const { summary, path, method } = found.endpoint
    const call = (sent: ToolInput): RestCall => callOf(method === 'GET' ? 'GET' : 'POST', path, sent)
    const callEndpoint = async (calls: Calls, sent: ToolInput) => calls.rest(call(sent))
    return {
      row,
      description: `${summary}. ${row.guidance}`,
      input: inputSchemaOf(found, named, row.extra_arguments),
      run: (calls, sent) => (row.run ? row.run(calls, sent, call(sent)) : callEndpoint(calls, sent)),
    }
  })
}

/** An id that no record has. */
const NO_ID = '-'

/**
 * Encodes an id for a path. Encoding keeps `.` and `..`, which would lead to another endpoint: like any unknown id, they name no record, nor
 * does a value of another kind.
 * @throws CallRefused for an id that was left out, perhaps because it has another name in the input
 */
function pathSegment(name: string, id: unknown): string {
  if (id == null || id === '') throw argumentRefused(name, `The ${name} is required.`)
  const isId = (typeof id === 'string' || typeof id === 'number') && !/^\.{1,2}$/.test(String(id))
  return isId ? encodeURIComponent(id) : NO_ID
}

/** Builds the call of an endpoint from a tool's input: path parameters go into the path, the rest into query or body. */
function callOf(method: RestCall['method'], path: string, sent: ToolInput): RestCall {
  const rest = { ...sent }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return pathSegment(name, value)
  })
  return { method, path: filled, ...(method === 'GET' ? { query: rest } : { body: rest }) }
}
