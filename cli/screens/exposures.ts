import { counted } from '../counted.ts'
import { objectOf, page, type Query, type Schemas } from '../service.ts'
import type { Connection } from '../settings.ts'
import { utcText } from '../utc-text.ts'
import { distanceText } from './distance.ts'
import type { Action, Layout, Listing } from './listing.ts'
import { type Line, sheetOf, wrap } from './text.ts'

type Exposure = Schemas['Exposure']
type Warning = Schemas['Warning']

/** Number of warnings in force shown above the list; the list contains the rest. */
const WARNINGS_SHOWN = 3
/** Open warnings read for it, the newest: one full page. */
const WARNINGS_READ = 100

/** The actions, by the state that they lead to. */
const moves = {
  acked: move('ack', 'acknowledged', 'acknowledge', {}),
  dismissed: move('dismiss', 'dismissed', 'acknowledge', { dismiss: true }),
  open: move('reopen', 'reopened', 'reopen'),
}

export const exposures: Listing<Exposure> = {
  path: '/exposures',
  columns: [
    { title: 'state', width: 9, of: stateOf },
    { title: 'date', width: 10, of: (row) => row.date },
    { title: 'hail', width: 5, of: hailOf },
    { title: 'mph', width: 3, of: (row) => row.max_gust_mph ?? '' },
    { title: 'place', width: 27, of: (row) => row.subject.name },
    { title: 'headline', width: 0, of: (row) => row.headline },
  ],
  filters: filtersOf,
  defaultLabel: 'open',
  searchHint: 'open, closed, all; record, warning; property, territory; 1.5 (inches); 2025-05-28 (from)',
  async banner(connection) {
    const { data, meta } = await page<Exposure>(connection, '/exposures', { kind: 'warning', open: true, per_page: WARNINGS_READ })
    const live = data.flatMap(({ warning, subject }) => (warning?.in_force ? [{ warning, subject }] : []))
    const atLeast = meta.total > data.length ? 'at least ' : ''
    const more = live.length > WARNINGS_SHOWN ? [`and ${atLeast}${live.length - WARNINGS_SHOWN} more in force: /warning`] : []
    return [
      ...live.slice(0, WARNINGS_SHOWN).map(({ warning, subject }) => `${warning.event} until ${endOf(warning)}: ${subject.name}`),
      ...more,
    ]
  },
  acts: { a: moves.acked, d: moves.dismissed, R: moves.open },
  open: async (connection, row) => layoutOf(await readAgain(connection, row)),
  detailsUrl: ({ url }, { id, warning }) =>
    warning && /^https?:\/\//.test(warning.citation_url) ? warning.citation_url : `${url}/map?exposure=${id}`,
}

function stateOf({ dismissed_at, acknowledged_at }: Pick<Exposure, 'dismissed_at' | 'acknowledged_at'>): 'open' | 'acked' | 'dismissed' {
  if (dismissed_at) return 'dismissed'
  return acknowledged_at ? 'acked' : 'open'
}

function move(name: string, label: string, endpoint: string, body?: object): Action<Exposure> {
  return {
    ...{ name, label },
    run: (connection, { id }) => objectOf(connection, { method: 'POST', path: `/exposures/${id}/${endpoint}`, ...(body && { body }) }),
    async undo(connection, before, after) {
      const now = await readAgain(connection, after)
      if (now.acknowledged_at !== after.acknowledged_at || now.dismissed_at !== after.dismissed_at) return null
      return moves[stateOf(before)].run(connection, before)
    },
  }
}

function readAgain(connection: Connection, { id }: Pick<Exposure, 'id'>): Promise<Exposure> {
  return objectOf<Exposure>(connection, { method: 'GET', path: `/exposures/${id}` })
}

/** The largest reported hail, else what radar estimated, which is marked. */
function hailOf({ largest_measured_in, largest_detected_in }: Exposure): string {
  if (largest_measured_in !== null) return largest_measured_in.toFixed(2)
  return largest_detected_in === null ? '' : `~${largest_detected_in.toFixed(2)}`
}

/** Shows open exposures unless the filter says otherwise. */
function filtersOf(search: string): Query {
  const words = search.split(/\s+/).filter(Boolean)
  return Object.assign({ open: true }, ...words.map(filterOf))
}

function filterOf(word: string): Query {
  if (word === 'all') return { open: undefined }
  if (word === 'open' || word === 'closed') return { open: word === 'open' }
  if (word === 'record' || word === 'warning') return { kind: word }
  if (word === 'property' || word === 'territory') return { subject: word }
  return /^\d{4}-/.test(word) ? { from: word } : { min_measured_in: word }
}

/** The figures of a storm day or the text of a warning, then when it was seen and decided. */
export const layoutOf =
  (exposure: Exposure): Layout =>
  (width) => {
    const { subject, date, headline, warning } = exposure
    const lines: Line[] = [
      { text: headline, tone: 'title' },
      { text: `${subject.name} (${subject.object}), ${date}: ${stateOf(exposure)}${exposure.provisional ? ', provisional' : ''}` },
      ...(warning ? warningLines(warning) : figureLines(exposure)),
      { text: '' },
      ...sheetOf(momentsOf(exposure)),
    ]
    return lines.flatMap((line) => wrap(line, width))
  }

function figureLines(exposure: Exposure): Line[] {
  const { families, reports, sources, evidence, largest_measured_in, largest_detected_in, max_gust_mph } = exposure
  const figures = [
    largest_measured_in !== null && `hail reported ${largest_measured_in.toFixed(2)} in`,
    largest_detected_in !== null && `hail estimated by radar ${largest_detected_in.toFixed(2)} in`,
    max_gust_mph !== null && `gust ${max_gust_mph} mph`,
    nearestText(exposure),
  ].filter(Boolean)
  return [
    { text: '' },
    { text: figures.join(', ') || 'no sizes on record' },
    { text: `${counted(reports, 'report')}: ${listOf(families)}` },
    { text: `${counted(sources, 'source')}; evidence: ${evidence.join(', ') || 'none'}` },
  ]
}

/** All records of a territory are inside it: no distance is known. */
function nearestText({ nearest_miles, subject }: Exposure): string | null {
  if (nearest_miles === null) return null
  return subject.object === 'territory' ? 'records inside the territory' : `nearest ${distanceText(nearest_miles, subject.precision)}`
}

const listOf = ({ hail, wind, tornado, other }: Exposure['families']) =>
  `hail ${hail}, wind ${wind}, tornado or funnel cloud ${tornado}, other ${other}`

const momentsOf = ({ first_seen_at, last_seen_at, notified_at, acknowledged_at, dismissed_at, report_id, record_ids }: Exposure) => ({
  ...{ first_seen_at, last_seen_at, notified_at, acknowledged_at, dismissed_at, report_id, record_ids },
})

function warningLines(warning: Warning): Line[] {
  const threats = threatsInWords(warning.threats)
  return [
    { text: '' },
    { text: `${warning.event}, ${warning.severity}, until ${endOf(warning)}`, tone: warning.in_force ? 'alarm' : 'title' },
    ...(threats ? [{ text: threats }] : []),
    { text: warning.area ?? '' },
    ...(warning.instruction ? [{ text: warning.instruction }] : []),
    { text: warning.citation_url ?? '', tone: 'quiet' },
  ]
}

/** The tags of the newest message, as it states them. */
function threatsInWords({ max_hail_in, hail_basis, max_gust_mph, wind_basis, tornado, flash_flood, damage }: Warning['threats']): string {
  const stated = [
    tornado && `tornado ${tornado}`,
    flash_flood && `flash flood ${flash_flood}`,
    max_hail_in && `hail up to ${max_hail_in.toFixed(2)} in${hail_basis ? ` (${hail_basis})` : ''}`,
    max_gust_mph && `gusts up to ${max_gust_mph} mph${wind_basis ? ` (${wind_basis})` : ''}`,
    damage && `threat tag ${damage}`,
  ]
  return stated.filter(Boolean).join(', ').replaceAll('_', ' ')
}

/** When the place leaves the warning. One that states no end outlasts its message: the next one continues it. */
function endOf({ periods, ends_at, expires_at, cancelled_at }: Warning): string {
  const until = periods?.at(-1)?.until ?? ends_at ?? expires_at
  if (until === null) return 'further notice'
  const isOpenEnded = ends_at === null && cancelled_at === null && until === expires_at
  return isOpenEnded ? `further notice (newest message: ${utcText(until)})` : utcText(until)
}
