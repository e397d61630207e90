import type pg from 'pg'
import type { App } from '#domain/app.ts'
import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import { warnings as warningSource } from '#domain/archive/sources/warnings.ts'
import { zones } from '#domain/archive/sources/zones.ts'
import { isKnownAt, readMemory } from '#domain/archive/versions/memory.ts'
import type { Paper } from '#domain/closed-sets.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { proveReport } from '#domain/fingerprint-log/read.ts'
import type { Point, Position } from '#domain/geo/measure.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import type { Config } from '#domain/kernel/config.ts'
import { readCoordinates } from '#domain/places/coordinates.ts'
import { type Town, townsAround } from '#domain/places/towns-around.ts'
import { type Plan, tierOf } from '#domain/plans/plans.ts'
import type { Composition } from '#domain/reports/compose.ts'
import { type DrawnSwaths, readSwaths } from '#domain/reports/document/drawn-swaths.ts'
import { mapFrame } from '#domain/reports/document/map-frame.ts'
import { type CitedRow, citedColumns, citedView } from '#domain/reports/find-events.ts'
import { defaultLayout, type Layout, type StoredLayout } from '#domain/reports/layout.ts'
import { type ReportRow, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import { signerName } from '#domain/reports/signing/document-key.ts'
import { type Signature, signFingerprint } from '#domain/reports/signing/fingerprint-signature.ts'
import { signingKeys } from '#domain/reports/signing/keys.ts'
import { KEYS_PATH } from '#domain/reports/signing/published-keys.ts'
import { type CompleteReport, pointOf, requireComplete, verificationOf } from '#domain/reports/verification.ts'
import type { CitedRecordView, VerificationView } from '#domain/reports/view.ts'
import { type WarningOver, warningsOver } from '#domain/reports/warnings-over.ts'

/** A cited record, with the fields that only its drawing needs. */
export interface DrawnRecord extends CitedRecordView {
  path_end: Position | null
  corners: Position[] | null
}

/** Everything that a document is made from: the same facts always give the same document. */
export interface DocumentFacts {
  report: CompleteReport
  /** Newest first; `numberedRecords` returns them by their printed numbers. */
  records: DrawnRecord[]
  verification: VerificationView
  /** Signature of the fingerprint, if the install has a key for it. */
  signature: Signature | null
  /** The key that signs the document as a whole, and where its public part is published. */
  signer: { key_id: string; name: string; keys_url: string }
  vintages: Composition['vintages']
  unplaced_zones: UnplacedZones[]
  /** Null if the archive has forgotten which warnings it had when the report was made. */
  warnings: WarningOver[] | null
  /** Towns around the place, for its map: the nearest first. */
  towns: Town[]
  /** Drawn under the points of its map; null for none. */
  swaths: DrawnSwaths | null
  team: { name: string; paper: Paper; brand_name: string | null; brand_logo: Buffer | null }
  /** IANA zone of the place. */
  timezone: string
  /** Whether the request for the report gave the coordinates; otherwise they were looked up. */
  coordinates_sent: boolean
  sample: boolean
}

interface FactsRow extends ReportRow {
  team_id: string
  team_name: string
  paper: Paper
  brand_name: string | null
  brand_logo: Buffer | null
  source_vintages: DocumentFacts['vintages']
  /** Null for a report made before this was recorded. */
  searched_at: Date | null
  coordinates_sent: boolean
  sample: boolean
}

/** Reads the facts of a complete report; null if it does not exist or is not complete. */
export async function readDocumentFacts(
  app: Pick<App, 'pool' | 'config' | 'db' | 'clock' | 'log'>,
  report_id: string,
): Promise<DocumentFacts | null> {
  const { pool, config } = app
  const [row] = await readNamed<FactsRow>(pool, 'document.report', REPORT, [report_id])
  if (row?.status !== 'complete') return null
  const records = await readRecords(pool, report_id)
  const report = requireComplete(reportView(row, config.base_url))
  const keys = await signingKeys(app)
  const { latitude, longitude } = pointOf(row)
  const place = { latitude, longitude, timezone: timezoneAt(latitude, longitude) }
  const sources = [...new Set(records.map(({ provenance }) => provenance.source))]
  return {
    report,
    records,
    verification: verificationOf(report, sources, await proveReport(pool, report_id), config.base_url),
    signature: keys.fingerprint && signFingerprint(keys.fingerprint, report.fingerprint),
    signer: { key_id: keys.document.key_id, name: signerName(keys.document), keys_url: `${config.base_url}${KEYS_PATH}` },
    vintages: row.source_vintages,
    unplaced_zones: row.unplaced_zones,
    ...(await readSurroundings(app, row, report, place, records)),
    team: teamOf(row, config),
    timezone: place.timezone,
    coordinates_sent: row.coordinates_sent || readCoordinates(row.query) !== null,
    sample: row.sample,
  }
}

async function readRecords(pool: pg.Pool, report_id: string): Promise<DrawnRecord[]> {
  const rows = await readNamed<CitedRow & { end_latitude: number | null; end_longitude: number | null; corners: Position[] | null }>(
    pool,
    'document.records',
    RECORDS,
    [report_id],
  )
  return rows.map(
    (record): DrawnRecord => ({
      ...citedView(record),
      path_end: record.end_latitude === null || record.end_longitude === null ? null : [record.end_longitude, record.end_latitude],
      corners: record.corners,
    }),
  )
}

/** Reads the surroundings of the place, as far as the layout shows them. */
async function readSurroundings(
  { pool, db, clock }: Pick<App, 'pool' | 'db' | 'clock'>,
  { layout, radius_miles, window_start: start, window_end: end, as_of, searched_at, sample }: FactsRow,
  { date_of_loss, generated_at }: CompleteReport,
  place: Point & { timezone: string },
  records: DrawnRecord[],
): Promise<Pick<DocumentFacts, 'warnings' | 'towns' | 'swaths'>> {
  const { reach_miles } = mapFrame(place.latitude, place.longitude, radius_miles)
  const known_at = as_of ?? searched_at ?? new Date(generated_at)
  const swathQuery = { date_of_loss, sample, known_at: known_at.toISOString() }
  return {
    warnings: showsWarnings(layout) ? await warningsAt({ pool, db, clock }, place, { start, end }, known_at) : [],
    towns: layout.map ? await townsAround({ pool }, place, radius_miles) : [],
    swaths: layout.map?.layers.includes('radar_hail') ? await readSwaths(pool, place, reach_miles, records, swathQuery) : null,
  }
}

/**
 * Reads the warnings as they were known when the report was made. Later ones do not change a document; neither do those that `VERSIONS_DAYS`
 * has cleared away: then the result is null. The memory is read last, so that a clearing in between is noticed.
 */
async function warningsAt(
  { pool, db, clock }: Pick<App, 'pool' | 'db' | 'clock'>,
  place: Point & { timezone: string },
  window: { start: string; end: string },
  known_at: Date,
): Promise<WarningOver[] | null> {
  const warnings = await warningsOver({ pool, clock }, place, window, place.timezone, known_at)
  const { since, forgotten } = await readMemory(db)
  const forgottenWarnings = forgotten.filter(({ source }) => WARNING_SOURCES.includes(source))
  return since === null || isKnownAt(known_at, { since, forgotten: forgottenWarnings }) ? warnings : null
}

/** Knowledge of warnings is lost only with these sources: the messages, and the counties of the zones that they name. */
const WARNING_SOURCES: string[] = [warningSource.id, zones.id]

/** The team's brand is shown if its plan includes it, unless the elements of a composed layout leave it out. */
function teamOf({ team_name: name, paper, brand_name, brand_logo, plan_tier, layout }: FactsRow, config: Config): DocumentFacts['team'] {
  const branded = isBranded(tierOf(plan_tier), layout, config)
  return { name, paper, brand_name: branded ? brand_name : null, brand_logo: branded ? brand_logo : null }
}

const showsWarnings = ({ sections, map }: Layout) => sections.includes('warnings') || (map?.layers.includes('warnings') ?? false)

function isBranded(tier: Pick<Plan, 'includes'>, { elements, elements_sent }: StoredLayout, config: Config): boolean {
  // Earlier reports do not state whether their elements were sent.
  const composed = elements_sent ?? elements.join() !== defaultLayout(tier, config).elements.join()
  return tier.includes.report_branding && (!composed || elements.includes('branding'))
}

const REPORT = `
  SELECT ${reportColumns}, r.team_id, r.source_vintages, r.searched_at, r.sample, r.sent_latitude IS NOT NULL AS coordinates_sent, t.name AS team_name, t.paper, t.brand_name, t.brand_logo
    FROM reports r JOIN teams t ON t.id = r.team_id WHERE r.id = $1`
const RECORDS = `SELECT ${citedColumns}, e.end_latitude, e.end_longitude, e.corners FROM report_records e WHERE e.report_id = $1 ORDER BY e.position`
