import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { runTeamByTeam } from '#domain/kernel/team-by-team.ts'
import { nextRenewal } from '#domain/plans/periods.ts'
import { planOf, planStatus } from '#domain/plans/plans.ts'
import type { Team } from '#generated/prisma/client.ts'

/**
 * Renews the period of every team that is due: the unused allowance lapses and the next one is granted. Both are dated at the time of
 * renewal, however late this runs; missed months are renewed one by one. Also ends expired trials, whose end stays stored: only a plan
 * ends their lapse. Safe to run repeatedly and from several processes at once. Returns the number of renewed periods.
 * @throws Error after all other teams are renewed, if a team could not be: its fault is logged and it stays due
 */
export async function renewDue(app: Pick<App, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = app.clock.now()
  // In a fixed order, since several processes may renew at once.
  await app.db.$executeRaw`
    UPDATE teams SET plan = 'free', lapsed_at = trial_ends_at
     WHERE id = ANY (ARRAY(SELECT id FROM teams WHERE trial_ends_at <= ${now} AND lapsed_at IS DISTINCT FROM trial_ends_at
                            ORDER BY id FOR NO KEY UPDATE))`
  const rows = await app.db.team.findMany({ where: { renews_at: { lte: now } }, select: { id: true } })
  const due = rows.map(({ id: team_id }) => ({ team_id }))
  let turned = 0
  await runTeamByTeam(app, due, 'the period of a team could not be renewed', async ({ team_id }) => {
    turned += await app.db.$transaction((tx) => turnPeriods(tx, team_id, now))
  })
  return turned
}

async function turnPeriods(tx: Tx, team_id: string, now: Date): Promise<number> {
  await lockTeamRow(tx, team_id)
  for (let turned = 0; ; turned++) {
    const team = await tx.team.findUniqueOrThrow({ where: { id: team_id } })
    if (team.renews_at > now) return turned
    await turnPeriod(tx, team)
  }
}

async function turnPeriod(tx: Tx, team: Team): Promise<void> {
  const at = team.renews_at
  await lapseAllowance(tx, team.id, at)
  await tx.team.update({
    where: { id: team.id },
    data: { used_this_period: 0, used_beyond_grant: 0, period_started_at: at, renews_at: nextRenewal(at, team.renewal_day) },
  })
  if (!planStatus(team, at).lapsed) await grantAllowance(tx, team.id, planOf(team, at).monthly_allowance, at)
}

/** Writes off the rest of the allowance. Writes no ledger row if nothing is left. */
export async function lapseAllowance(tx: Pick<Tx, '$executeRaw'>, team_id: string, at: Date): Promise<void> {
  await tx.$executeRaw`
    WITH held AS (SELECT allowance_left FROM teams WHERE id = ${team_id}::uuid),
    team AS (
      UPDATE teams t SET balance = t.balance - h.allowance_left, lapsed_this_period = h.allowance_left, allowance_left = 0,
             ledger_sequence = ledger_sequence + (h.allowance_left > 0)::int
        FROM held h WHERE t.id = ${team_id}::uuid
      RETURNING t.balance, t.ledger_sequence, h.allowance_left AS lapsed)
    INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, created_at)
    SELECT ${team_id}::uuid, ledger_sequence, 'lapse', -lapsed, balance, 'Unused allowance lapsed', ${at} FROM team WHERE lapsed > 0`
}

/** Grants a period's allowance. Writes no ledger row if it is 0. */
export async function grantAllowance(tx: Pick<Tx, '$executeRaw'>, team_id: string, credits: number, at: Date): Promise<void> {
  if (credits === 0) return
  await tx.$executeRaw`
    WITH team AS (
      UPDATE teams SET balance = balance + ${credits}, allowance_left = allowance_left + ${credits}, ledger_sequence = ledger_sequence + 1
       WHERE id = ${team_id}::uuid
      RETURNING balance, ledger_sequence)
    INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, created_at)
    SELECT ${team_id}::uuid, ledger_sequence, 'allowance', ${credits}, balance, 'Monthly allowance', ${at} FROM team`
}
