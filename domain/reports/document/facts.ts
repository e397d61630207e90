import type { MultiPolygon, Polygon } from 'geojson'
import type { App } from '#domain/app.ts'
import type { Position } from '#domain/archive/record.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { drawnHolds, drawnShape } from '#domain/geo/drawn.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { type Plan, type TierId, tierOf } from '#domain/plans/plans.ts'
import { type Signature, signFingerprint } from '#domain/reports/document/signature.ts'
import { type CitedRow, citedColumns, citedView } from '#domain/reports/find-events.ts'
import { defaultLayout, type Layout } from '#domain/reports/layout.ts'
import { type ReportRow, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import { type CompleteReport, requireComplete, verificationOf } from '#domain/reports/verification.ts'
import type { CitedRecordView, VerificationView } from '#domain/reports/view.ts'

/** A cited record with what only its drawing needs. */
export interface DrawnRecord extends CitedRecordView {
  path_end: Position | null
  corners: Position[] | null
}

/** An official warning that was in force over the place: shown, never counted as evidence. */
export interface DocumentWarning {
  event: string
  office_name: string
  issued_at: Date
  ends_at: Date | null
  citation_url: string
  geometry: Polygon | MultiPolygon
}

/** Everything a document is made of: with the same facts every rendering shows the same. */
export interface DocumentFacts {
  report: CompleteReport
  /** In the order shown: the number printed beside each is its place here, from 1. */
  records: DrawnRecord[]
  verification: VerificationView
  /** Of the fingerprint, by the install's key where it has one. */
  signature: Signature | null
  /** [{source, label, compiled_on}] */
  vintages: { source: string; label: string; compiled_on: string | null }[]
  warnings: DocumentWarning[]
  team: { name: string; paper: 'letter' | 'a4'; brand_name: string | null; brand_logo: Buffer | null }
  /** IANA zone of the place. */
  timezone: string
  sample: boolean
}

interface FactsRow extends ReportRow {
  team_id: string
  team_name: string
  paper: 'letter' | 'a4'
  brand_name: string | null
  brand_logo: Buffer | null
  source_vintages: DocumentFacts['vintages']
  sample: boolean
}

/** The facts of a complete report; null for one that is not there or not complete. */
export async function readDocumentFacts({ pool, config }: Pick<App, 'pool' | 'config'>, report_id: string): Promise<DocumentFacts | null> {
  const { rows } = await pool.query<FactsRow>({ name: 'document.report', text: REPORT, values: [report_id] })
  const row = rows[0]
  if (row?.status !== 'complete') return null
  const cited = await pool.query<CitedRow & { end_latitude: number | null; end_longitude: number | null; corners: Position[] | null }>({
    name: 'document.records',
    text: RECORDS,
    values: [report_id],
  })
  const report = requireComplete(reportView(row, config.base_url))
  const { latitude, longitude } = row as { latitude: number; longitude: number }
  const branded = isBranded(tierOf(row.plan_tier as TierId), row.layout, config)
  return {
    report,
    records: cited.rows.map((record) => ({
      ...citedView(record),
      path_end: record.end_latitude === null || record.end_longitude === null ? null : [record.end_longitude, record.end_latitude],
      corners: record.corners,
    })),
    verification: verificationOf(report, [...new Set(cited.rows.map(({ source }) => source))], config.base_url),
    signature: signFingerprint(config, report.fingerprint),
    vintages: row.source_vintages,
    warnings: showsWarnings(row.layout) ? await warningsOver({ pool }, latitude, longitude, row.window_start, row.window_end) : [],
    team: {
      name: row.team_name,
      paper: row.paper,
      brand_name: branded ? row.brand_name : null,
      brand_logo: branded ? row.brand_logo : null,
    },
    timezone: timezoneAt(latitude, longitude),
    sample: row.sample,
  }
}

const showsWarnings = ({ sections, map }: Layout) => sections.includes('warnings') || (map?.layers.includes('warnings') ?? false)

/** The team's mark stands where its plan has one, unless a composed layout leaves it out. */
function isBranded(tier: Pick<Plan, 'includes'>, { elements }: Layout, config: App['config']): boolean {
  const composed = elements.join() !== defaultLayout(tier, config).elements.join()
  return tier.includes.report_branding && (!composed || elements.includes('branding'))
}

async function warningsOver(
  { pool }: Pick<App, 'pool'>,
  latitude: number,
  longitude: number,
  start: string,
  end: string,
): Promise<DocumentWarning[]> {
  const { rows } = await pool.query<DocumentWarning>({
    name: 'document.warnings',
    text: WARNINGS,
    values: [cellOf(latitude, longitude), start, end],
  })
  return rows.filter(({ geometry }) => drawnHolds(drawnShape(geometry), longitude, latitude))
}

const REPORT = `
  SELECT ${reportColumns}, r.team_id, r.source_vintages, r.sample, t.name AS team_name, t.paper, t.brand_name, t.brand_logo
    FROM reports r JOIN teams t ON t.id = r.team_id WHERE r.id = $1`
const RECORDS = `SELECT ${citedColumns}, e.end_latitude, e.end_longitude, e.corners FROM report_records e WHERE e.report_id = $1 ORDER BY e.position`
/** Warnings with a polygon; the exact test follows. */
const WARNINGS = `
  SELECT w.event, w.office_name, w.issued_at, w.ends_at, w.citation_url, w.geometry
    FROM warnings w JOIN warning_cells c ON c.warning_id = w.id
   WHERE c.cell = $1 AND w.issued_at >= $2::date AND w.issued_at < $3::date + 2 AND w.geometry IS NOT NULL AND w.significance = 'W'
   ORDER BY w.issued_at DESC LIMIT 200`
