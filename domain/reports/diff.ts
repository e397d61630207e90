import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { withConsistentSnapshot } from '#domain/archive/versions/consistent-snapshot.ts'
import { type RevisionView, revisionsOf } from '#domain/archive/versions/revisions-of.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid, refuseField } from '#domain/kernel/validation.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { type Changed, type ChangedField, type ComparedReport, compareReports } from '#domain/reports/compare.ts'
import { compile } from '#domain/reports/compile.ts'
import { cutToToday, reachDateOfLoss } from '#domain/reports/cut-to-today.ts'
import { type CitedRow, citedColumns, citedView } from '#domain/reports/find-events.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { noSuchReport, type ReportRow, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import type { CitedRecordView, FindingView } from '#domain/reports/view.ts'
import { withoutAsOf } from '#domain/reports/wording/coverage-summary.ts'

/** How a report differs from another of the same place, or from one that would be made now. */
export interface ReportDiffView {
  object: 'report_diff'
  a: DiffSide
  b: DiffSide
  /** Whether any of the lists below has an entry. */
  differs: boolean
  records: RecordChange[]
  findings: Changed<FindingView>[]
  statements: ChangedField[]
}

export interface DiffSide {
  /** Null for the report of now, which was never requested. */
  report_id: string | null
  /** The archive's point in time that it is compiled from. */
  known_at: string
  fingerprint: string
}

/** A cited record, with the revisions that changed it between the two; empty if not the record but something stored beside it changed. */
export type RecordChange = Changed<CitedRecordView> & { revisions: RevisionView[] }

type Reading = Pick<App, 'pool' | 'config' | 'clock'>
type Requester = Pick<Caller, 'team'>

/**
 * Compares two complete reports of one place; without a second one, compares a report with what one of the same window would contain now.
 * Writes and charges nothing.
 * @throws Refusal 404; 409 `report_not_ready`; 422 on `b` if it is about another place
 */
export async function diffReports(app: Reading, { team }: Requester, a: string, b: string | null): Promise<ReportDiffView> {
  const first = await readSide(app, team.id, a)
  const second = b === null ? await composeCurrentSide(app, first) : await readSide(app, team.id, b)
  if (!isSamePlace(first.place, second.place))
    refuseField('b', 'The reports are about two places. Only reports of the same place can be compared.')
  const { records, findings, statements } = compareReports(b === null ? withoutAsOfNote(first) : first, second)
  const [after, until] = [first.known_at, second.known_at].sort((one, other) => one.getTime() - other.getTime())
  const changedRecords = records.map((change) => present(change.new ?? change.old))
  const revisions = await revisionsOf(
    app.pool,
    changedRecords.map(({ id, provenance: { source } }) => ({ id, source })),
    present(after),
    present(until),
  )
  return {
    object: 'report_diff',
    a: sideView(first),
    b: sideView(second),
    differs: records.length + findings.length + statements.length > 0,
    records: records.map((change, index) => ({ ...change, revisions: revisions.get(present(changedRecords[index]).id) ?? [] })),
    findings,
    statements,
  }
}

interface Side extends ComparedReport {
  report_id: string | null
  known_at: Date
  fingerprint: string
  place: LocatedPlace
  plan_tier: TierId
  as_of: Date | null
  date_of_loss: string | null
}

interface SideRow extends ReportRow {
  county_fips: string | null
  searched_at: Date | null
}

const SIDE = `SELECT ${reportColumns}, r.county_fips, r.searched_at FROM reports r WHERE r.team_id = $1 AND r.id = $2`
const RECORDS = `SELECT ${citedColumns} FROM report_records e WHERE e.team_id = $1 AND e.report_id = $2 ORDER BY e.position`

async function readSide({ pool, config }: Reading, team_id: string, id: string): Promise<Side> {
  const [row] = isUuid(id) ? await readNamed<SideRow>(pool, 'report.side', SIDE, [team_id, id]) : []
  if (!row) throw noSuchReport()
  if (row.status !== 'complete') throw new Refusal('report_not_ready', 'Only complete reports can be compared.')
  const report = reportView(row, config.base_url)
  const cited = await readNamed<CitedRow>(pool, 'report.side.records', RECORDS, [team_id, id])
  return {
    report_id: id,
    known_at: row.searched_at ?? present(row.generated_at),
    fingerprint: present(report.fingerprint),
    place: placeOf(row),
    plan_tier: row.plan_tier,
    as_of: row.as_of,
    date_of_loss: row.date_of_loss,
    report,
    findings: report.findings ?? [],
    records: cited.map(citedView),
  }
}

function placeOf({ street, city, state, postal_code, county, county_fips, latitude, longitude, precision }: SideRow): LocatedPlace {
  const point = { latitude: present(latitude), longitude: present(longitude) }
  const timezone = timezoneAt(point.latitude, point.longitude)
  return { street, city, state, postal_code, county, county_fips, ...point, precision: present(precision), timezone }
}

/** Prepares a report for comparison with one of now: its `as_of` sentence does not count as a difference. */
function withoutAsOfNote({ report, as_of, ...side }: Side): Side {
  const summary = withoutAsOf(report.coverage.summary, as_of)
  return { ...side, as_of, report: { ...report, coverage: { ...report.coverage, summary } } }
}

/** Composes what a report of the same place, window and plan would contain now. */
function composeCurrentSide({ pool, clock }: Reading, { place, plan_tier, date_of_loss, report }: Side): Promise<Side> {
  const window = { ...report.window, ...cutToToday(reachDateOfLoss(report.window, date_of_loss), place, clock.now()) }
  return withConsistentSnapshot({ pool }, null, async (known_at) => {
    const searched_at = known_at ?? clock.now()
    const evidence = await searchArchive({ pool, clock }, place, window, known_at)
    const composed = await compile({ pool, clock }, place, window, evidence, { as_of: null, known_at, date_of_loss, plan_tier })
    const { citations, findings, observation_count, coverage, headline, day_of_loss, days } = composed
    const records = citations.map(({ view }) => view)
    return {
      report_id: null,
      known_at: searched_at,
      fingerprint: fingerprint({ address: place, window, coverage }, records),
      place,
      plan_tier,
      as_of: null,
      date_of_loss,
      report: { window, event_count: records.length, observation_count, coverage, headline, day_of_loss, days },
      findings,
      records,
    }
  })
}

function isSamePlace(one: LocatedPlace, other: LocatedPlace): boolean {
  return one.latitude === other.latitude && one.longitude === other.longitude
}

function sideView({ report_id, known_at, fingerprint }: Side): DiffSide {
  return { report_id, known_at: known_at.toISOString(), fingerprint }
}
