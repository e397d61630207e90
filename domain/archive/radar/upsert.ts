import type pg from 'pg'
import type { Touched } from '#domain/archive/ingest/upsert.ts'
import type { Frame } from '#domain/archive/radar/frame.ts'
import { insertFrame } from '#domain/archive/radar/frames.ts'
import { largeCells, storeWatchedCells } from '#domain/archive/radar/watched-cells.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { present } from '#domain/kernel/present.ts'
import { isOneOf } from '#domain/kernel/validation.ts'
import { recordSources } from '#domain/weather/sources.ts'

/**
 * Stores frames, each completely; frames already stored change nothing. Cells from an inch that a watched place reaches
 * become records, and those that touch one that would stand alone. The 24-hour grid spans two dates and shows no day of its own.
 */
export async function storeFrames(client: pg.ClientBase, source: string, frames: Frame[], file_id: number | null): Promise<Touched> {
  if (!isOneOf(recordSources, source)) throw new Error(`${source} has no records`)
  const records: ArchiveRecord[] = []
  let inserted = 0
  for (const frame of frames) {
    const { added } = await insertFrame(client, source, frame, file_id)
    if (!added) continue
    inserted += 1
    if (frame.product !== 'mesh') continue
    records.push(...(await storeWatchedCells(client, largeCells(frame.blocks, source, frame.valid_at))).added)
  }
  const days = records.map(({ occurred_on }) => occurred_on).sort()
  const cells = new Set(records.map(({ latitude, longitude }) => cellOf(present(latitude), present(longitude))))
  return { inserted, updated: 0, withdrawn: 0, cells: [...cells], from: days[0] ?? null, to: days.at(-1) ?? null }
}
