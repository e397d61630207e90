import type { MultiPolygon, Polygon } from 'geojson'
import type pg from 'pg'
import { REVISION } from '#domain/archive/versions/revision.ts'
import type { Change } from '#domain/archive/warnings/change.ts'
import { messageTypes } from '#domain/archive/warnings/message-types.ts'
import { spansOf } from '#domain/archive/warnings/spans.ts'
import { countiesNamed, countiesOfCodes, type StoredWarning } from '#domain/archive/warnings/stored-warnings.ts'
import { stateOf, type WarningState } from '#domain/archive/warnings/summary.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import { cellsOfArea } from '#domain/geo/cells.ts'
import { countyShape } from '#domain/geo/counties.ts'
import { polygonsOf } from '#domain/geo/shape.ts'

type Zones = ReadonlyMap<string, string[]>

/** A warning with all of its messages. */
type WarningWithMessages = Pick<StoredWarning, 'source_key' | 'messages'>

/** Writes a change. Returns the cells that the changed warnings reach. */
export async function writeChange(client: pg.ClientBase, change: Change, zones: Zones, now: Date): Promise<number[]> {
  if (change.warnings.length === 0) return []
  const ids = await writeStates(client, change.warnings, zones, now)
  const removed = change.removed.map(({ source_key, message_key }) => ({ source_key, message_key }))
  if (removed.length > 0) await client.query(DELETE_MESSAGES, [JSON.stringify(removed)])
  const messages = change.fresh.map((message) => ({ ...message, warning_id: ids.get(message.source_key) }))
  await client.query(UPSERT_MESSAGES, [JSON.stringify(messages)])
  if (change.emptied.length > 0) await removeEmptied(client, change.emptied)
  return writeCells(client, change.warnings, ids, zones)
}

/** Writes the places of warnings again after the table of zones changed; their messages stay. Returns the cells that they reach. */
export async function rewritePlaces(client: pg.ClientBase, warnings: WarningWithMessages[], zones: Zones, now: Date): Promise<number[]> {
  return writeCells(client, warnings, await writeStates(client, warnings, zones, now), zones)
}

async function writeStates(client: pg.ClientBase, warnings: WarningWithMessages[], zones: Zones, now: Date): Promise<Map<string, number>> {
  const states = warnings.map(({ source_key, messages }) => rowOf(stateOf(source_key, messages), zones, now))
  const { rows } = await client.query<{ id: number; source_key: string }>(UPSERT_WARNINGS, [JSON.stringify(states)])
  return new Map(rows.map(({ id, source_key }) => [source_key, id]))
}

function rowOf(state: WarningState, zones: Zones, now: Date) {
  return { ...state, county_fips: state.geometry ? state.county_fips : countiesNamed(state, zones), updated_at: now }
}

async function writeCells(
  client: pg.ClientBase,
  warnings: WarningWithMessages[],
  ids: ReadonlyMap<string, number>,
  zones: Zones,
): Promise<number[]> {
  const reached = warnings.map(({ source_key, messages }) => ({ warning_id: ids.get(source_key), cells: cellsOf(messages, zones) }))
  await client.query(REPLACE_CELLS, [JSON.stringify(reached)])
  return [...new Set(reached.flatMap(({ cells }) => cells))]
}

/** A team notified under the old key of the warning keeps the exposure, under the new key. */
async function removeEmptied(client: pg.ClientBase, emptied: Change['emptied']): Promise<void> {
  await client.query(RENAME_EXPOSURES, [JSON.stringify(emptied)])
  await client.query(DELETE_EMPTIED, [emptied.map(({ source_key }) => source_key)])
}

/** Returns all cells in which a warning was ever in force: its search index. */
function cellsOf(messages: StoredMessage[], zones: Zones): number[] {
  const cells = new Set<number>()
  for (const { area } of spansOf(messages)) {
    const parts = 'geometry' in area ? [cellsOfShape(area.geometry)] : countiesOfCodes(area.codes, zones).map(cellsOfCounty)
    for (const part of parts) for (const cell of part) cells.add(cell)
  }
  return [...cells].sort((one, other) => one - other)
}

function cellsOfShape(shape: Polygon | MultiPolygon): number[] {
  return polygonsOf(shape).flatMap(([outer = []]) => cellsOfArea(outer))
}

const countyCells = new Map<string, number[]>()

/** A few thousand counties at most; the cells of each are computed once. */
function cellsOfCounty(fips: string): number[] {
  const known = countyCells.get(fips)
  if (known) return known
  const cells = [...new Set((countyShape(fips) ?? []).flatMap((ring) => cellsOfArea(ring)))]
  if (cells.length > 0) countyCells.set(fips, cells)
  return cells
}

/** Columns with their types, as in the JSON. */
const warningTypes = {
  source_key: 'text',
  identifier: 'text',
  event: 'text',
  headline: 'text',
  status: 'text',
  message_type: 'text',
  severity: 'text',
  certainty: 'text',
  urgency: 'text',
  issued_at: 'timestamptz',
  onset_at: 'timestamptz',
  expires_at: 'timestamptz',
  ends_at: 'timestamptz',
  cancelled_at: 'timestamptz',
  office_id: 'text',
  office_name: 'text',
  vtec: 'text',
  phenomenon: 'text',
  significance: 'text',
  tracking_number: 'int',
  threats: 'jsonb',
  area: 'text',
  instruction: 'text',
  geometry: 'jsonb',
  geometry_basis: 'text',
  county_fips: 'text[]',
  citation_url: 'text',
  sent_at: 'timestamptz',
  updated_at: 'timestamptz',
}

/** Returns SQL that upserts rows given as JSON. */
function upsertText(table: string, types: Record<string, string>, key: readonly string[], also: readonly string[] = []): string {
  const columns = Object.keys(types)
  const columnTypes = columns.map((column) => `${column} ${types[column]}`).join(', ')
  const assignments = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`)
  return `
    INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM jsonb_to_recordset($1::jsonb) AS row (${columnTypes})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${[...assignments, ...also].join(', ')}`
}

const UPSERT_WARNINGS = `${upsertText('warnings', warningTypes, ['source_key'])} RETURNING id, source_key`

/** SQL that keeps messages as they are before the enclosing statement changes them: those that a table `named` lists by warning and key. */
const KEEP_MESSAGES = `
    INSERT INTO warning_message_versions (warning_key, from_revision, until_revision, ${Object.keys(messageTypes).join(', ')})
    SELECT w.source_key, m.revision, ${REVISION}, ${Object.keys(messageTypes)
      .map((column) => `m.${column}`)
      .join(', ')}
      FROM named JOIN warnings w USING (source_key) JOIN warning_messages m ON m.warning_id = w.id AND m.message_key = named.message_key
     WHERE m.revision <> ${REVISION}
    ON CONFLICT DO NOTHING`
const UPSERT_MESSAGES = `
  WITH named AS MATERIALIZED (
    SELECT w.source_key, given.message_key FROM jsonb_to_recordset($1::jsonb) AS given (warning_id int, message_key text) JOIN warnings w ON w.id = given.warning_id
  ), kept AS (${KEEP_MESSAGES})
  ${upsertText('warning_messages', { warning_id: 'int', ...messageTypes }, ['warning_id', 'message_key'], ['revision = excluded.revision'])}`
const DELETE_MESSAGES = `
  WITH named AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS given (source_key text, message_key text)),
       kept AS (${KEEP_MESSAGES})
  DELETE FROM warning_messages m USING named, warnings w
   WHERE w.source_key = named.source_key AND m.warning_id = w.id AND m.message_key = named.message_key`
/** SQL: locks past cells that are already kept, so that nobody deletes them with an older version in the meantime. */
const LOCK_KEPT = 'ON CONFLICT (cell, warning_key) DO UPDATE SET cell = excluded.cell'
const DELETE_EMPTIED = `
  WITH emptied AS (DELETE FROM warnings WHERE source_key = ANY ($1::text[]) RETURNING id, source_key)
  INSERT INTO warning_past_cells (cell, warning_key) SELECT c.cell, e.source_key FROM emptied e JOIN warning_cells c ON c.warning_id = e.id
  ${LOCK_KEPT}`
const RENAME_EXPOSURES = `
  UPDATE exposures e SET warning_key = row.now FROM jsonb_to_recordset($1::jsonb) AS row (source_key text, now text)
   WHERE e.kind = 'warning' AND e.warning_key = row.source_key AND NOT EXISTS (
     SELECT FROM exposures o WHERE o.kind = 'warning' AND o.warning_key = row.now AND (o.property_id = e.property_id OR o.territory_id = e.territory_id))`
const REPLACE_CELLS = `
  WITH reached AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (warning_id int, cells int[])),
       left_behind AS (DELETE FROM warning_cells c USING reached r WHERE c.warning_id = r.warning_id AND NOT c.cell = ANY (r.cells) RETURNING c.*),
       kept AS (
         INSERT INTO warning_past_cells (cell, warning_key) SELECT l.cell, w.source_key FROM left_behind l JOIN warnings w ON w.id = l.warning_id
         ${LOCK_KEPT})
  INSERT INTO warning_cells (warning_id, cell) SELECT warning_id, unnest(cells) FROM reached ON CONFLICT DO NOTHING`
