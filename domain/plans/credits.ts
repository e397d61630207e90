import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { CreditKind } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { text } from '#domain/kernel/fields.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { lowestTierAbove, planOf, planStatus, type Subscription } from '#domain/plans/plans.ts'

/** A client that can write the ledger: a transaction, or the client for a single statement. */
type Ledger = Pick<Tx, '$queryRaw'>

/** A report to be charged, and its description in the ledger. */
export interface Charge {
  report_id: string
  description: string
}

/**
 * Charges one credit for a report, the allowance before the top-ups. Called last in the creating transaction: the
 * team's row is locked from here to its end.
 * @throws Refusal 402 `credits` if none is left; the transaction then creates nothing.
 */
export const chargeForReport = (tx: Ledger, team_id: string, report_id: string, description: string, at: Date) =>
  chargeForReports(tx, team_id, [{ report_id, description }], at)

/**
 * Charges a credit for each of several reports, in their order: all of them or none. A report that was requested before a renewal and
 * is charged after it belongs to the new period, whose allowance pays for it.
 * @throws Refusal 402 `credits` if too few are left
 */
export async function chargeForReports(tx: Ledger, team_id: string, charges: readonly Charge[], at: Date): Promise<{ balance: number }> {
  const count = charges.length
  const rows = await tx.$queryRaw<{ balance: number }[]>`
    WITH team AS (
      UPDATE teams SET balance = balance - ${count}::int, allowance_left = greatest(allowance_left - ${count}::int, 0),
             used_this_period = used_this_period + ${count}::int,
             used_beyond_grant = used_beyond_grant + greatest(${count}::int - allowance_left, 0), ledger_sequence = ledger_sequence + ${count}::int
       WHERE id = ${team_id}::uuid AND balance >= ${count}::int
      RETURNING balance, ledger_sequence, period_started_at)
    INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, report_id, created_at)
    SELECT ${team_id}::uuid, ledger_sequence - ${count}::int + place, 'spend', -1, balance + ${count}::int - place, description, report_id,
           greatest(${at}::timestamptz, period_started_at)
      FROM team, unnest(${charges.map(({ report_id }) => report_id)}::uuid[], ${charges.map(({ description }) => description)}::text[])
             WITH ORDINALITY AS charge (report_id, description, place)
     ORDER BY place
    RETURNING balance_after AS balance`
  return rows.at(-1) ?? refuseForCredits(tx, team_id, count, at)
}

async function refuseForCredits(tx: Ledger, team_id: string, cost: number, now: Date): Promise<never> {
  const [team] = await tx.$queryRaw<(Subscription & { balance: number; renews_at: Date })[]>`
    SELECT plan, balance, renews_at, trial_ends_at, lapsed_at, limit_overrides FROM teams WHERE id = ${team_id}::uuid`
  if (!team) throw new Error('the team charged for a report does not exist')
  const plan = planOf(team, now)
  const tier = lowestTierAbove(plan, (higher) => higher.monthly_allowance > plan.monthly_allowance)
  const ending = planStatus(team, now).on_trial ? team.trial_ends_at : null
  const [what, at] = ending ? ['the trial ends', ending] : [`the ${plan.label} plan renews`, team.renews_at]
  const short = cost === 1 ? 'No credits are left' : `${cost} credits are needed and ${team.balance} left`
  const tail = tier ? ` The ${tier.label} plan includes ${tier.monthly_allowance} a month.` : ''
  throw new Refusal('plan_limit', `${short}; ${what} on ${at.toISOString().slice(0, 10)}.${tail}`, {
    limit: 'credits',
    required_plan: tier?.tier ?? null,
  })
}

/** Returns the credits that the team can spend now. */
export async function readBalance(tx: Ledger, team_id: string): Promise<number> {
  const [team] = await tx.$queryRaw<[{ balance: number }]>`SELECT balance FROM teams WHERE id = ${team_id}::uuid`
  return team.balance
}

/**
 * Refunds the credit of a failed report, once however often it is called. A credit spent in this period goes back to
 * its source: to the top-ups if any of them were used, else to the allowance. A credit spent before the last renewal
 * comes back as a top-up, since its allowance is gone.
 */
export async function refundReport(tx: Ledger, team_id: string, report_id: string, description: string, at: Date): Promise<void> {
  await lockTeamRow(tx, team_id)
  await tx.$queryRaw`
    WITH spend AS (
      SELECT c.created_at >= t.period_started_at AND NOT EXISTS (
               SELECT FROM credit_transactions turn
                WHERE turn.team_id = t.id AND turn.sequence > c.sequence AND turn.kind IN ('lapse', 'allowance')) AS this_period
        FROM credit_transactions c JOIN teams t ON t.id = c.team_id
       WHERE c.report_id = ${report_id}::uuid AND c.kind = 'spend' AND c.team_id = ${team_id}::uuid
         AND NOT EXISTS (SELECT FROM credit_transactions r WHERE r.report_id = c.report_id AND r.kind = 'refund')),
    team AS (
      UPDATE teams t SET balance = balance + 1, ledger_sequence = ledger_sequence + 1,
             allowance_left = allowance_left + (this_period AND used_beyond_grant = 0)::int,
             used_beyond_grant = greatest(used_beyond_grant - this_period::int, 0),
             used_this_period = greatest(used_this_period - this_period::int, 0)
        FROM spend WHERE t.id = ${team_id}::uuid
      RETURNING balance, ledger_sequence)
    INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, report_id, created_at)
    SELECT ${team_id}::uuid, ledger_sequence, 'refund', 1, balance, ${description}, ${report_id}::uuid, ${at} FROM team
    RETURNING id`
}

/** Adds credits that never lapse. Returns the new balance. */
export async function topUp(tx: Ledger, team_id: string, amount: number, at: Date): Promise<{ balance: number }> {
  if (!Number.isInteger(amount) || amount < 1) refuseField('amount', 'The amount must be a whole number of credits, at least 1.')
  return move(tx, team_id, {
    kind: 'top_up',
    amount,
    description: amount === 1 ? '1 credit added' : `${amount} credits added`,
    note: null,
    at,
  })
}

/** The reason of a correction, one line that the team reads in its ledger. */
const correctionNote = text('The note', { min: 1, max: 500 })

/** Corrects a balance manually. Removed credits come from the allowance first; added credits never lapse. */
export async function adjust(tx: Ledger, team_id: string, amount: number, note: string, at: Date): Promise<{ balance: number }> {
  const faults = gatherFaults()
  faults.unless(Number.isInteger(amount) && amount !== 0, 'amount', 'The amount must be a whole number of credits, not 0.')
  const reason = correctionNote.read(note, 'note', faults)
  faults.refuse()
  return move(tx, team_id, { kind: 'adjustment', amount, description: 'Correction', note: reason, at })
}

/** A balance is a 32-bit integer: this leaves room for a thousand of the largest allowances. */
const BALANCE_MAX = 1_000_000_000

async function move(
  tx: Ledger,
  team_id: string,
  row: { kind: CreditKind; amount: number; description: string; note: string | null; at: Date },
): Promise<{ balance: number }> {
  const { kind, amount, description, note: reason, at } = row
  const rows = await tx.$queryRaw<{ balance: number }[]>`
    WITH team AS (
      UPDATE teams SET balance = balance + ${amount}, ledger_sequence = ledger_sequence + 1,
             allowance_left = greatest(allowance_left + least(${amount}, 0), 0)
       WHERE id = ${team_id}::uuid AND balance::bigint + ${amount} >= 0
         AND (${amount} < 0 OR balance::bigint + ${amount} <= ${BALANCE_MAX})
      RETURNING balance, ledger_sequence)
    INSERT INTO credit_transactions (team_id, sequence, kind, amount, balance_after, description, note, created_at)
    SELECT ${team_id}::uuid, ledger_sequence, ${kind}, ${amount}, balance, ${description}, ${reason}, ${at} FROM team
    RETURNING balance_after AS balance`
  const balance = rows[0]?.balance ?? (await refuseMove(tx, team_id, amount))
  auditWrite(tx, { team_id, kind: 'team', id: team_id, before: { balance: balance - amount }, after: { balance } })
  return { balance }
}

async function refuseMove(tx: Ledger, team_id: string, amount: number): Promise<never> {
  const [team] = await tx.$queryRaw<{ balance: number }[]>`SELECT balance FROM teams WHERE id = ${team_id}::uuid`
  if (!team) throw new Refusal('not_found', 'There is no team with this id.')
  const bound = amount < 0 ? 'a correction cannot take more' : `it cannot exceed ${BALANCE_MAX}`
  refuseField('amount', `The balance is ${team.balance}: ${bound}.`)
}
