import { RESEND_DELIVERY, SHOW_DELIVERY } from '../commands/destinations.ts'
import { call, page, type Query, query } from '../service.ts'
import type { Connection } from '../settings.ts'
import type { Row } from './rows.ts'
import { type Marks, sparkline } from './terminal.ts'

/** What is listed on a screen, and what can be done with it. */
export interface Noun {
  path: string
  /** Filters that the text typed after `/` stands for. */
  filters(search: string): Query
  /** Titles, widths (0 takes the rest) and cells. */
  columns: readonly [title: string, width: number, of: (row: Row) => unknown][]
  /** Lines of one opened row; asks for more where more is wanted. */
  details(connection: Connection, row: Row, marks: Marks): Promise<string[]>
  /** Lines above the list. */
  banner(connection: Connection): Promise<string[]>
  acts: Readonly<Record<string, Act>>
  keys: string
}

export interface Act {
  label: string
  /** Answers the row as it then stands. */
  run(connection: Connection, row: Row): Promise<Row | null>
  /** Key of the act that takes it back, by how the row stood. */
  back?(row: Row): string
}

const nothing = async () => []

export const reports: Noun = {
  path: '/reports',
  filters: (search) => (search ? { address: search } : {}),
  columns: [
    ['status', 9, (row) => row.status],
    ['from', 10, (row) => row.window.start],
    ['to', 10, (row) => row.window.end],
    ['records', 7, (row) => row.event_count],
    ['address', 0, (row) => row.address.query],
  ],
  banner: nothing,
  acts: {},
  keys: '',
  async details(connection, row, marks) {
    const report = ((await call(connection, { method: 'GET', path: `/reports/${row.id}` })).body as { data: Row }).data
    const cited = report.status === 'complete' ? (await page<Row>(connection, `/reports/${row.id}/events`, { per_page: 100 })).data : []
    return [
      `${report.address.query}   ${report.window.start} to ${report.window.end}, ${report.window.radius_miles} mi`,
      `${report.status}   ${report.headline ?? report.failure_reason ?? ''}`,
      '',
      ...yearsOf(report, cited, marks),
      ...(report.findings ?? []).flatMap((finding: Row) => [
        '',
        `${finding.family_label}: ${finding.event_count} records, ${finding.confidence_label}`,
        `  ${finding.statement}`,
      ]),
      '',
      `Cited records (${report.event_count}${cited.length < report.event_count ? `, ${cited.length} shown` : ''})`,
      ...cited.map(
        (record) =>
          `  ${record.occurred_on}  ${record.type}  ${sizeOf(record)}  ${record.relevance.distance_miles ?? '-'} mi ${record.relevance.bearing ?? ''}`,
      ),
      '',
      `fingerprint ${report.fingerprint ?? '-'}`,
    ]
  },
}

function yearsOf(report: Row, cited: readonly Row[], marks: Marks): string[] {
  const first = Number(report.window.start.slice(0, 4))
  const last = Number(report.window.end.slice(0, 4))
  const counts = Array.from(
    { length: last - first + 1 },
    (_, at) => cited.filter((one) => one.occurred_on.startsWith(String(first + at))).length,
  )
  return [`Records a year, ${first} to ${last}: [${sparkline(counts, marks.bars)}] most ${Math.max(...counts)}`]
}

const sizeOf = ({ measurements: { hail_size_in, wind_gust_mph, tornado_ef_scale } }: Row) =>
  hail_size_in !== null
    ? `${hail_size_in} in`
    : wind_gust_mph !== null
      ? `${wind_gust_mph} mph`
      : tornado_ef_scale !== null
        ? `EF${tornado_ef_scale}`
        : ''

const stateOf = (row: Row) => (row.dismissed_at ? 'dismissed' : row.acknowledged_at ? 'acknowledged' : 'open')

const move = (label: string, act: string, body?: unknown): Act => ({
  label,
  run: async (connection, { id }) =>
    (
      (await call(connection, { method: 'POST', path: `/exposures/${id}/${act}`, ...(body !== undefined && { body }) })).body as {
        data: Row
      }
    ).data,
  back: (row) => (row.dismissed_at ? 'd' : row.acknowledged_at ? 'a' : 'o'),
})

export const exposures: Noun = {
  path: '/exposures',
  filters: filtersFrom,
  columns: [
    ['state', 12, stateOf],
    ['date', 10, (row) => row.date],
    ['hail', 5, (row) => row.largest_measured_in ?? row.largest_detected_in ?? ''],
    ['mph', 4, (row) => row.max_gust_mph ?? ''],
    ['place', 26, (row) => row.subject.name],
    ['headline', 0, (row) => row.headline],
  ],
  async banner(connection) {
    const { data } = await page<Row>(connection, '/exposures', { kind: 'warning', open: true, per_page: 25 })
    return data
      .filter((row) => row.warning?.in_force)
      .slice(0, 3)
      .map((row) => `${row.warning.event} until ${row.warning.ends_at ?? row.warning.expires_at}: ${row.subject.name}`)
  },
  acts: { a: move('acknowledge', 'acknowledge', {}), d: move('dismiss', 'acknowledge', { dismiss: true }), o: move('reopen', 'reopen') },
  keys: 'space choose  * all  a ack  d dismiss  o reopen  u undo',
  details: async (_connection, row) => linesOf(row),
}

/** What may be typed after `/`: open, closed, record, warning, property, territory, a size such as 1.5, or a first date. */
function filtersFrom(search: string): Query {
  const words = search.split(/\s+/).filter(Boolean)
  return Object.assign(
    {},
    ...words.map((word) => {
      if (word === 'open' || word === 'closed') return { open: word === 'open' }
      if (word === 'record' || word === 'warning') return { kind: word }
      if (word === 'property' || word === 'territory') return { subject: word }
      return /^\d{4}-/.test(word) ? { from: word } : { min_measured_in: word }
    }),
  )
}

export const properties: Noun = {
  path: '/properties',
  filters: (search) => (search ? { search } : {}),
  columns: [
    ['status', 8, (row) => row.status],
    ['name', 24, (row) => row.name],
    ['reference', 12, (row) => row.reference ?? ''],
    ['mi', 4, (row) => row.watch_radius_miles],
    ['last', 10, (row) => row.last_activity_on ?? ''],
    ['address', 0, (row) => row.address.query],
  ],
  banner: nothing,
  acts: {},
  keys: '',
  details: async (connection, { id }) =>
    linesOf(((await call(connection, { method: 'GET', path: `/properties/${id}` })).body as { data: Row }).data),
}

export const deliveries: Noun = {
  path: '/integrations/deliveries',
  filters: (search) => (search ? { status: search } : {}),
  columns: [
    ['status', 9, (row) => row.status],
    ['created', 16, (row) => row.created_at.slice(0, 16)],
    ['channel', 7, (row) => row.channel],
    ['tries', 5, (row) => row.attempts],
    ['code', 4, (row) => row.response_code ?? ''],
    ['subject', 0, (row) => row.subject],
  ],
  async banner(connection) {
    const { data } = await page<Row>(connection, '/integrations', { per_page: 25 })
    return data.filter((row) => row.failing).map((row) => `${row.name} is failing: ${row.last_failure ?? ''}`)
  },
  acts: { s: { label: 'resend', run: (connection, { id }) => query<Row>(connection, RESEND_DELIVERY, { delivery: id }) } },
  keys: 's send again',
  async details(connection, { id }) {
    const { delivery, body } = await query<{ delivery: Row; body: string | null }>(connection, SHOW_DELIVERY, { delivery: id })
    return [...linesOf(delivery), '', 'Payload', ...(body === null ? ['  (not kept)'] : prettyOf(body).split('\n'))]
  },
}

function prettyOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Nested keys on lines of their own, indented. */
function linesOf(value: Row, indent = ''): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === null || typeof member !== 'object') return [`${indent}${key}: ${member ?? '-'}`]
    if (Array.isArray(member) && member.every((one) => typeof one !== 'object')) return [`${indent}${key}: ${member.join(', ') || '-'}`]
    return [`${indent}${key}`, ...linesOf(member, `${indent}  `)]
  })
}
