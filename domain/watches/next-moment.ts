import type { Tx } from '#domain/engines/database.ts'

/**
 * Returns the next value of the team's exposure clock, as text with microseconds. Every exposure that this transaction changes
 * gets it as `last_seen_at`. The team's row stays locked until the transaction ends, so values rise strictly in the order in
 * which transactions become visible: a reader that requests everything after the largest value it has seen misses nothing.
 * @param now the current time; the result is this, or one microsecond after the previous value if that is later
 */
export async function nextMoment(tx: Pick<Tx, '$queryRaw'>, team_id: string, now: Date): Promise<string> {
  const [team] = await tx.$queryRaw<{ moment: string }[]>`
    UPDATE teams SET exposure_clock = greatest(${now}::timestamptz, exposure_clock + interval '1 microsecond')
     WHERE id = ${team_id}::uuid
    RETURNING to_char(exposure_clock AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment`
  if (!team) throw new Error('the team of an exposure does not exist')
  return team.moment
}
