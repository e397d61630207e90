import type { MultiPolygon, Polygon } from 'geojson'
import type pg from 'pg'
import type { Touched } from '#domain/archive/hold.ts'
import { warningPage } from '#domain/archive/warnings/citation.ts'
import { endsWarning, findVtec, isWatched } from '#domain/archive/warnings/vtec.ts'
import type { WarningMessage } from '#domain/archive/warnings/warning.ts'
import { cellsOfArea } from '#domain/geo/cells.ts'
import { countyShape } from '#domain/geo/counties.ts'
import type { Position } from '#domain/geo/measure.ts'

/** What messages changed. */
export interface HeldWarnings {
  touched: Touched
  /** Keys of the warnings that are new or changed. */
  keys: string[]
}

const DAY = 86_400_000

/**
 * Holds what messages say of warnings over land that are in force for real; others are passed over. Per warning the newest
 * message speaks, in whatever order they come: an older one only fills in an earlier begin. A cancellation ends it and
 * leaves what it threatened as it was.
 */
export async function holdWarnings(client: pg.ClientBase, messages: WarningMessage[], now: Date): Promise<HeldWarnings> {
  const watched = messages.filter(({ vtec, status }) => status === 'actual' && findVtec(vtec).some(isWatched))
  const touched: Touched = { inserted: 0, updated: 0, withdrawn: 0, cells: [], from: null, to: null }
  const keys = new Set<string>()
  const days: string[] = []
  const cells = new Set<number>()
  for (const message of joined(watched).sort(bySending)) {
    const named = await withItsYear(client, message)
    const change = await holdMessage(client, named, now)
    if (!change) continue
    touched[change.added ? 'inserted' : 'updated'] += 1
    keys.add(named.source_key)
    for (const cell of change.cells) cells.add(cell)
    days.push(dayOf(change.issued_at.getTime() - DAY), dayOf(change.issued_at.getTime() + DAY))
  }
  days.sort()
  return { touched: { ...touched, cells: [...cells], from: days[0] ?? null, to: days.at(-1) ?? null }, keys: [...keys] }
}

/** One issue of a warning over many zones comes in several segments: together they are its area. */
function joined(messages: WarningMessage[]): WarningMessage[] {
  const issues = new Map<string, WarningMessage>()
  for (const message of messages) {
    const key = [message.source_key, message.sent_at.getTime(), endsWarning(message.action)].join(' ')
    const before = issues.get(key)
    issues.set(key, before && before !== message ? union(before, message) : message)
  }
  return [...issues.values()]
}

function union(one: WarningMessage, other: WarningMessage): WarningMessage {
  const areas = new Set([one.area, other.area].flatMap((area) => area?.split('; ') ?? []))
  return {
    ...one,
    area: [...areas].join('; ') || null,
    county_fips: [...new Set([...one.county_fips, ...other.county_fips])],
    zones: [...new Set([...one.zones, ...other.zones])],
  }
}

/** Oldest first; of one moment the part that ends before the part that goes on, so that what goes on is what stands. */
function bySending(one: WarningMessage, other: WarningMessage): number {
  return one.sent_at.getTime() - other.sent_at.getTime() || Number(endsWarning(other.action)) - Number(endsWarning(one.action))
}

/** An update leaves the begin open: after New Year it is about last year's warning, where that is held and this year's is not. */
async function withItsYear(client: pg.ClientBase, message: WarningMessage): Promise<WarningMessage> {
  const [vtec] = findVtec(message.vtec)
  if (!vtec || vtec.begins_at !== null || message.action === 'NEW') return message
  const year = Number(message.source_key.slice(-4))
  const before = `${message.source_key.slice(0, -4)}${year - 1}`
  const { rows } = await client.query<{ source_key: string }>(
    'SELECT source_key FROM warnings WHERE source_key = ANY($1) AND (ends_at IS NULL OR ends_at > $2::timestamptz - make_interval(days => $3)) ORDER BY source_key DESC LIMIT 1',
    [[message.source_key, before], message.sent_at, LATE_DAYS],
  )
  return rows[0]?.source_key === before ? { ...message, source_key: before, citation_url: warningPage(vtec, year - 1) } : message
}

/** An office says of a warning that it has ended within a day, and numbers begin anew each year. */
const LATE_DAYS = 2

interface Change {
  added: boolean
  cells: number[]
  issued_at: Date
}

interface Held {
  id: number
  added: boolean
  geometry: Polygon | MultiPolygon | null
  county_fips: string[]
  issued_at: Date
}

/** A warning that was first heard of by an update began when its first message says. */
async function earlierBegin(client: pg.ClientBase, { source_key, issued_at }: WarningMessage): Promise<Held | undefined> {
  const { rows } = await client.query<Held>(
    'UPDATE warnings SET issued_at = $2 WHERE source_key = $1 AND issued_at > $2 RETURNING id, false AS added, geometry, county_fips, issued_at',
    [source_key, issued_at],
  )
  return rows[0]
}

async function holdMessage(client: pg.ClientBase, message: WarningMessage, now: Date): Promise<Change | null> {
  const ends = endsWarning(message.action)
  const county_fips = message.geometry ? message.county_fips : await countiesOf(client, message)
  const { rows } = await client.query<Held>(ends ? END : HOLD, [
    message.source_key,
    message.identifier,
    message.event,
    message.headline,
    message.status,
    message.message_type,
    message.severity,
    message.certainty,
    message.urgency,
    message.issued_at,
    message.onset_at,
    message.expires_at,
    message.ends_at,
    // What expires ends at its end; what is cancelled or upgraded ends when that is said.
    ends && message.action !== 'EXP' ? message.sent_at : null,
    message.office.id,
    message.office.name,
    message.vtec,
    message.phenomenon,
    message.significance,
    message.tracking_number,
    JSON.stringify(message.threats),
    message.area,
    message.instruction,
    message.geometry && JSON.stringify(message.geometry),
    message.geometry_basis,
    county_fips,
    message.citation_url,
    message.sent_at,
    now,
  ])
  const held = rows[0] ?? (await earlierBegin(client, message))
  if (!held) return null
  const cells = held.geometry
    ? cellsOfShape(held.geometry)
    : held.county_fips.flatMap((fips) => (countyShape(fips) ?? []).flatMap((ring) => cellsOfArea(ring)))
  await client.query('DELETE FROM warning_cells WHERE warning_id = $1 AND NOT cell = ANY($2::int[])', [held.id, cells])
  await client.query('INSERT INTO warning_cells (warning_id, cell) SELECT $1, unnest($2::int[]) ON CONFLICT DO NOTHING', [
    held.id,
    [...new Set(cells)],
  ])
  return { added: held.added, cells, issued_at: held.issued_at }
}

/** Counties named by the message, and those of its forecast zones where the table of zones is held. */
async function countiesOf(client: pg.ClientBase, { county_fips, zones }: WarningMessage): Promise<string[]> {
  if (zones.length === 0) return county_fips
  const { rows } = await client.query<{ county_fips: string }>('SELECT DISTINCT county_fips FROM zone_counties WHERE zone = ANY($1)', [
    zones,
  ])
  return [...new Set([...county_fips, ...rows.map((row) => row.county_fips)])].sort()
}

function cellsOfShape(shape: Polygon | MultiPolygon): number[] {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  return [...new Set(polygons.flatMap(([outer]) => cellsOfArea((outer ?? []) as Position[])))]
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const columns = [
  'source_key',
  'identifier',
  'event',
  'headline',
  'status',
  'message_type',
  'severity',
  'certainty',
  'urgency',
  'issued_at',
  'onset_at',
  'expires_at',
  'ends_at',
  'cancelled_at',
  'office_id',
  'office_name',
  'vtec',
  'phenomenon',
  'significance',
  'tracking_number',
  'threats',
  'area',
  'instruction',
  'geometry',
  'geometry_basis',
  'county_fips',
  'citation_url',
  'sent_at',
  'updated_at',
]
const values = columns.map((_, place) => `$${place + 1}`).join(', ')
/** A text product does not say how sure or how bad: what a message before it said stays. */
const said = (column: string) => `${column} = CASE WHEN excluded.${column} = 'unknown' THEN w.${column} ELSE excluded.${column} END`
const filled = (column: string) => `${column} = coalesce(excluded.${column}, w.${column})`
const taken = (...names: string[]) => names.map((column) => `${column} = excluded.${column}`).join(', ')
const RETURNING = 'RETURNING id, xmax = 0 AS added, geometry, county_fips, issued_at'

/** Of one moment, the part of the warning that goes on stands over the one that ended. */
const HOLD = `
  INSERT INTO warnings AS w (${columns.join(', ')}) VALUES (${values})
  ON CONFLICT (source_key) DO UPDATE SET
    ${taken('identifier', 'event', 'status', 'message_type', 'expires_at', 'ends_at', 'cancelled_at', 'office_name', 'vtec', 'threats', 'sent_at', 'updated_at')},
    ${['severity', 'certainty', 'urgency'].map(said).join(', ')},
    ${['headline', 'onset_at', 'area', 'instruction', 'geometry'].map(filled).join(', ')},
    geometry_basis = CASE WHEN excluded.geometry IS NULL AND w.geometry IS NOT NULL THEN w.geometry_basis ELSE excluded.geometry_basis END,
    county_fips = CASE WHEN excluded.county_fips = '{}' THEN w.county_fips ELSE excluded.county_fips END,
    issued_at = least(w.issued_at, excluded.issued_at)
  WHERE w.sent_at < excluded.sent_at OR (w.sent_at = excluded.sent_at AND w.vtec ~ '^/.[.](CAN|EXP|UPG)')
  ${RETURNING}`

const END = `
  INSERT INTO warnings AS w (${columns.join(', ')}) VALUES (${values})
  ON CONFLICT (source_key) DO UPDATE SET
    ${taken('identifier', 'message_type', 'vtec', 'sent_at', 'updated_at')}, ${['expires_at', 'ends_at', 'cancelled_at'].map(filled).join(', ')}
  WHERE w.sent_at < excluded.sent_at
  ${RETURNING}`
