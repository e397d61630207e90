import type pg from 'pg'
import { type CellRecord, keyOf, NOT_STORED, storeCellRecords } from '#domain/archive/radar/cell-records.ts'
import { newestFirst } from '#domain/archive/search/newest-first.ts'
import { present } from '#domain/kernel/present.ts'
import type { Citation, Composition } from '#domain/reports/compose.ts'

/**
 * Stores the radar cells that a report cites as records, so that each is cited by an id that stays. Cells that the report looked at
 * but does not cite stay in their frames: the archive never reveals where a team looked. Repeatable.
 */
export async function storeCitedCells(pool: Pick<pg.ClientBase, 'query'>, composed: Composition): Promise<Composition> {
  const unstored = composed.citations.filter(isUnstored)
  if (unstored.length === 0) return composed
  const { ids } = await storeCellRecords(
    pool,
    unstored.map(({ record }) => record as Citation['record'] & CellRecord),
  )
  const withStoredId = (citation: Citation): Citation => {
    if (!isUnstored(citation)) return citation
    const id = present(ids.get(keyOf(citation.record)))
    return { view: { ...citation.view, id }, record: { ...citation.record, id } }
  }
  return { ...composed, citations: composed.citations.map(withStoredId).sort((one, other) => newestFirst(one.record, other.record)) }
}

const isUnstored = ({ view }: Citation) => view.id === NOT_STORED
