import type { App } from '#domain/app.ts'
import { newestRevisionTime } from '#domain/archive/versions/revision.ts'

/** Attempts to read the current archive before it is read as of a point in time. */
const CURRENT_READS_MAX = 2

/**
 * Runs several statements so that all of them see the archive at one point in time. If an import or a deletion happens
 * between them, they could report a month as stored but lack its records, so they run again. If the archive changes each
 * time, they run as of its newest revision, by its versions. That takes longer, but is not affected by changes.
 * @param as_of the requested point in time; null for now
 * @param read receives the point in time to read as of; null for the current state
 */
export async function withConsistentSnapshot<Answer>(
  { pool }: Pick<App, 'pool'>,
  as_of: Date | null,
  read: (known_at: Date | null) => Promise<Answer>,
): Promise<Answer> {
  if (as_of !== null) return read(as_of)
  for (let attempt = 1; ; attempt++) {
    const newest = await newestRevisionTime(pool)
    const known_at = attempt > CURRENT_READS_MAX ? newest : null
    const answer = await read(known_at)
    if (known_at !== null || newest?.getTime() === (await newestRevisionTime(pool))?.getTime()) return answer
  }
}
