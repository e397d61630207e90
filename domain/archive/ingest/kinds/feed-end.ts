import { markDays } from '#domain/archive/coverage/coverage-days.ts'
import { addTouched, coveredDays, everyState, type Import, type ImportEngines } from '#domain/archive/ingest/import.ts'
import { mayWithdraw, withdrawAbsent } from '#domain/archive/ingest/withdraw.ts'
import { supersededBy } from '#domain/archive/search/superseded.ts'
import type { Contents } from '#domain/archive/sources/source.ts'

/**
 * Finishes a feed response: withdraws what the feed's own file of a day no longer has, and marks the days that the feed
 * covers.
 * @param months YYYY-MM that are covered once the response is read
 */
export async function finishFeed(
  app: ImportEngines,
  run: Import,
  { complete_prefix, compiled_on }: Contents,
  months: Iterable<string>,
): Promise<void> {
  const { client, source } = run
  if (complete_prefix !== undefined && mayWithdraw(run))
    addTouched(run, await withdrawAbsent(client, source, complete_prefix, compiled_on, app.clock.now()))
  const days = coveredDays(run)
  run.fresh.push(await supersededBy(client, source, everyState, [...months, ...days.map(({ day }) => day.slice(0, 7))]))
  await markDays(client, source, days)
}
