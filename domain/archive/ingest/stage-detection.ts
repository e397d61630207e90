import type pg from 'pg'
import type { Touched } from '#domain/archive/ingest/upsert.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { stageDurableOn } from '#domain/kernel/durable-jobs.ts'

/** Cells or warnings of one job: keeps its payload to a few kilobytes and its run time within a second. */
const AT_ONCE = 500

/** Stages detection of what a transaction touched, if anything. If it touched warnings, only their jobs are staged. */
export async function stageDetection(
  client: Pick<pg.ClientBase, 'query'>,
  touched: Touched[],
  { quiet, monitoring_run_id, warnings = [] }: { quiet: boolean; monitoring_run_id?: number | undefined; warnings?: string[] },
): Promise<void> {
  const cells = [...new Set(touched.flatMap((one) => one.cells))].sort((a, b) => a - b)
  const days = touched
    .flatMap(({ from, to }) => [from, to])
    .filter((day) => day !== null)
    .sort()
  const [from, to] = [days[0], days.at(-1)]
  if (!from || !to) return
  const about = { from, to, quiet, ...(monitoring_run_id !== undefined && { run_id: monitoring_run_id }) }
  await stageDurableOn(client, 'detection.run', [
    ...(warnings.length > 0 ? [] : chunksOf(cells, AT_ONCE).map((part) => ({ ...about, cells: part }))),
    ...chunksOf(warnings, AT_ONCE).map((part) => ({ ...about, cells: [], warnings: part })),
  ])
}
