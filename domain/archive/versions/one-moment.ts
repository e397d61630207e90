import type { App } from '#domain/app.ts'
import { newestMoment } from '#domain/archive/versions/revision.ts'

/** Times that the archive is asked as it is, before it is asked as of a moment. */
const ASKED_MAX = 2

/**
 * What several statements say of the archive, all of one moment. One in the middle of which something was imported or forgotten may say that
 * all was held, and lack what came with that: it is asked again. Where the archive changes each time, it is asked as of its newest
 * moment: by its versions, which takes longer, and stays the same whatever comes.
 * @param as_of the moment that is asked for; null for now
 * @param ask is given the moment as of which it asks; null for as it is now
 */
export async function ofOneMoment<Answer>(
  { pool }: Pick<App, 'pool'>,
  as_of: Date | null,
  ask: (known_at: Date | null) => Promise<Answer>,
): Promise<Answer> {
  if (as_of !== null) return ask(as_of)
  for (let asked = 1; ; asked++) {
    const newest = await newestMoment(pool)
    const known_at = asked > ASKED_MAX ? newest : null
    const answer = await ask(known_at)
    if (known_at !== null || newest?.getTime() === (await newestMoment(pool))?.getTime()) return answer
  }
}
