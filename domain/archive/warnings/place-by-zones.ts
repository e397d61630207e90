import type pg from 'pg'
import { countiesOfZones, mayLastUntil, readStoredWarnings } from '#domain/archive/warnings/stored-warnings.ts'
import { rewritePlaces } from '#domain/archive/warnings/write.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'

/** Warnings placed in one step. */
const PAGE = 200

/**
 * Places the warnings that name forecast zones and were in force since a time, after the table of zones changed. In winter
 * most offices name only zones, and a warning may arrive before the table.
 * @returns keys of the warnings that now reach some cell
 */
export async function placeWarningsByZones(client: pg.ClientBase, since: Date, now: Date): Promise<string[]> {
  const { rows } = await client.query<{ source_key: string }>(NAMING_ZONES, [since])
  const placed: string[] = []
  for (const page of chunksOf(rows, PAGE)) {
    const warnings = await readStoredWarnings(
      client,
      page.map(({ source_key }) => source_key),
    )
    const zones = await countiesOfZones(
      client,
      warnings.flatMap(({ messages }) => messages.flatMap((message) => message.zones)),
    )
    const cells = await rewritePlaces(client, warnings, zones, now)
    if (cells.length > 0) placed.push(...warnings.map(({ source_key }) => source_key))
  }
  return placed
}

const NAMING_ZONES = `
  SELECT source_key FROM warnings w
   WHERE ${mayLastUntil('$1')} AND EXISTS (SELECT FROM warning_messages m WHERE m.warning_id = w.id AND m.zones <> '{}')
   ORDER BY source_key`
