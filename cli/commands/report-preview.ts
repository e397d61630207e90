import type { Command } from 'commander'
import { counted } from '../counted.ts'
import { exits } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { rangeText } from '../range-text.ts'
import { query } from '../service.ts'
import { type Columns, type Invocation, rowOf, wrapAction } from './command.ts'
import { addReportCommand, requestOf } from './report-requests.ts'

interface Band {
  severity: string
  range: string | null
}

interface PreviewDay {
  date: string
  records: number
  hail: { ground: Band | null; radar: Band | null }
  wind: { ground: Band | null; instrument: Band | null }
  tornado: boolean
  relation: string | null
}

interface Preview {
  address: { query: string; latitude: number | null; longitude: number | null; precision: string | null }
  failure_message: string | null
  window: { start: string; end: string; radius_miles: number; narrowed_by_plan: boolean }
  coverage: { summary: string | null } | null
  event_count: number
  records_without_point: number
  types: { label: string; event_count: number; evidence_kinds: string[] }[]
  day_count: number
  days: PreviewDay[]
  cost: number
  balance: number
}

const BANDS = 'severity range'
const PREVIEW = `query (
    $address: String, $latitude: Float, $longitude: Float, $window_start: Date!, $window_end: Date!, $radius_miles: Float, $as_of: DateTime,
    $date_of_loss: Date, $reference: String, $recipient: String, $property_id: UUID) {
  reportPreview(
    address: $address, latitude: $latitude, longitude: $longitude, window_start: $window_start, window_end: $window_end,
    radius_miles: $radius_miles, as_of: $as_of, date_of_loss: $date_of_loss, reference: $reference, recipient: $recipient, property_id: $property_id) {
    object address { query street city state postal_code county latitude longitude precision } failure_reason failure_message
    window { start end radius_miles narrowed_by_plan }
    coverage { complete provisional summary sources_searched unplaced_zone_records } event_count records_without_point observation_count
    types { type label event_count evidence_kinds } day_count
    days { date records hail { ground { ${BANDS} } radar { ${BANDS} } } wind { ground { ${BANDS} } instrument { ${BANDS} } } tornado relation }
    cost balance } }`

/** The cell of a hazard: the band of its size or speed. */
const cell = (band: Band | null, figure: 'size' | 'speed') => band && (band.range ?? `${figure} not stated`)

const dayColumns: Columns<PreviewDay> = {
  date: 'date',
  relation: 'relation',
  records: 'records',
  hail: ({ hail }) => cell(hail.ground, 'size'),
  radar_hail: ({ hail }) => cell(hail.radar, 'size'),
  wind_reported: ({ wind }) => cell(wind.ground, 'speed'),
  wind_measured: ({ wind }) => cell(wind.instrument, 'speed'),
  tornado: ({ tornado }) => (tornado ? 'yes' : null),
}

/** weather reports preview. */
export function addPreview(reports: Command): void {
  addReportCommand(
    reports,
    'preview',
    'preview a report before paying for it: free, and not evidence',
    "reports preview --address '100 Main Street, Frisco, TX 75034' --start 2025-01-01 --end 2025-12-31",
  ).action(wrapAction(previewReport))
}

/** Prints summary sentences and then the days. Exit status 9 if a report would fail. */
async function previewReport({ setting, options }: Invocation): Promise<void> {
  const preview = await query<Preview>(setting.connection, PREVIEW, requestOf(options))
  const days = preview.days.map((day) => rowOf(day, dayColumns))
  if (setting.output === 'table') for (const line of linesOf(preview)) printLine(line)
  if (setting.output !== 'table' || days.length > 0) print({ data: preview }, setting, days)
  if (preview.failure_message !== null) process.exitCode = exits.failed_or_mismatch
}

function linesOf(preview: Preview): string[] {
  const {
    address,
    failure_message,
    window,
    coverage,
    event_count,
    types,
    day_count,
    days,
    cost,
    balance,
    records_without_point: areal,
  } = preview
  if (failure_message !== null) return [`A report would fail: ${failure_message}`]
  const kinds = types.map(countedType).join(', ')
  const planNote = window.narrowed_by_plan ? ', reduced by the plan' : ''
  return [
    `Located ${address.latitude}, ${address.longitude} (${address.precision}).`,
    `${rangeText(window.start, window.end)} within ${window.radius_miles} mi${planNote}.`,
    ...(coverage?.summary ? [coverage.summary] : []),
    event_count === 0 ? 'No records.' : `${counted(event_count, 'record')} on ${counted(day_count, 'day')}: ${kinds}.`,
    ...(areal > 0 ? [`${areal} of them ${areal === 1 ? 'names' : 'name'} a county or a forecast zone, not a point.`] : []),
    ...(days.length < day_count ? [`The ${days.length} most severe days are shown.`] : []),
    `A report costs ${cost} of ${counted(balance, 'credit')}. This is not evidence: sizes are bands, and nothing is cited.`,
  ]
}

/** How many records of a type there are, and whether radar estimates are among them. */
function countedType({ label, event_count, evidence_kinds }: Preview['types'][number]): string {
  const count = `${label} ${event_count}`
  if (!evidence_kinds.includes('radar')) return count
  return `${count} (${evidence_kinds.length > 1 ? 'some ' : ''}estimated by radar)`
}
