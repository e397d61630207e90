import type { Tx } from '#domain/engines/database.ts'

/**
 * The next value of the team's exposure clock, as text with microseconds: what `last_seen_at` of every exposure
 * that this transaction changes is set to. The team's row stays locked until the transaction ends, so values
 * rise strictly in the order in which transactions become visible: a reader that asks for what lies after the
 * largest value it saw misses nothing.
 * @param now what the clock says; the value is this, or just after the one before it.
 */
export async function nextMoment(tx: Pick<Tx, '$queryRaw'>, team_id: string, now: Date): Promise<string> {
  const [team] = await tx.$queryRaw<{ moment: string }[]>`
    UPDATE teams SET exposure_clock = greatest(${now}::timestamptz, exposure_clock + interval '1 microsecond')
     WHERE id = ${team_id}::uuid
    RETURNING to_char(exposure_clock AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment`
  if (!team) throw new Error('the team of an exposure does not exist')
  return team.moment
}
