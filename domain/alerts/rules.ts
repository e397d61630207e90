import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import { countConfirmations, deleteUnusedAddressesOfTeam, requestConfirmations } from '#domain/alerts/addresses.ts'
import { type AlertRuleFields, type AlertRuleInput, checkNewRule, checkRuleChanges } from '#domain/alerts/check-rule.ts'
import { type AlertRuleView, findAlertRule, noSuchRule } from '#domain/alerts/find.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { requireActivePlan, requireRecordAlerts } from '#domain/plans/ceilings.ts'

/** The most rules of a team, inactive ones included: each is compared with every storm day of the team. */
export const ALERT_RULES_MAX = 50

type Writing = Pick<App, 'pool' | 'clock' | 'limiter' | 'mail'>

/**
 * Creates a rule. Recipients outside the team are mailed a link to confirm, and receive nothing before that.
 * @throws Refusal 422 naming each invalid field; 402 if the plan has no alerts, or has lapsed; 429 if the team has mailed as
 * many strangers as it may in a minute; 409 for the idempotency key; 404 if a replay's rule was removed
 */
export async function createAlertRule(
  app: Writing,
  caller: Caller,
  input: AlertRuleInput,
  idempotency: IdempotentRequest | null = null,
): Promise<AlertRuleView> {
  // Before anything is checked or counted: a replay mails nobody.
  const stored = idempotency && (await findOutcome<Outcome>(app, caller, idempotency))
  if (stored) return findAlertRule(app, caller, stored.outcome.rule_id)
  const faults = gatherFaults()
  const { recipients, ...fields } = checkNewRule(input, faults)
  faults.refuse()
  requireAlerts(caller)
  const team_id = caller.team.id
  const now = app.clock.now()
  const requireCapacity = async (db: Pick<ScopedTx, 'alertRule' | 'property' | 'territory'>) => {
    if ((await db.alertRule.count()) >= ALERT_RULES_MAX)
      refuseField('name', `A team has at most ${ALERT_RULES_MAX} alert rules. Remove one first.`)
    await requirePlaces(db, fields)
  }
  await requireCapacity(caller.db)
  await countConfirmations(app, caller, recipients, now)
  const { outcome } = await once(caller, idempotency, async (tx): Promise<Outcome> => {
    await lockPlaces(tx, team_id, fields)
    await lockTeamRow(tx, team_id)
    await requireCapacity(tx)
    const rule = await tx.alertRule.create({ data: { team_id, ...columnsOf(fields), name: fields.name, created_at: now, updated_at: now } })
    await setRecipients(tx, { team_id, rule_id: rule.id }, recipients, now)
    auditWrite(tx, { kind: 'alert_rule', id: rule.id, after: rule })
    return { rule_id: rule.id }
  })
  return findAlertRule(app, caller, outcome.rule_id)
}

/** The stored outcome by which a replay finds the rule. */
interface Outcome {
  rule_id: string
}

/**
 * Changes the fields that were sent; unchanged fields are not written. Sent recipients replace the previous ones, but
 * recipients who left stay listed as having left.
 * @throws Refusal 404; 422 naming each invalid field; 402, unless it only pauses the rule; 429 as `createAlertRule`
 */
export async function changeAlertRule(app: Writing, caller: Caller, id: string, input: AlertRuleInput): Promise<AlertRuleView> {
  const { recipients, ...changes } = validateChanges(await findAlertRule(app, caller, id), input)
  const onlyPauses = recipients === undefined && changes.active === false && keysOf(changes).length === 1
  if (!onlyPauses) requireAlerts(caller)
  const team_id = caller.team.id
  const now = app.clock.now()
  await requirePlaces(caller.db, changes)
  if (recipients) await countConfirmations(app, caller, recipients, now)
  await caller.db.$transaction(async (tx) => {
    await lockPlaces(tx, team_id, changes)
    await lockTeamRow(tx, team_id)
    const before = await tx.alertRule.findFirst({ where: { id } })
    if (!before) throw noSuchRule()
    // Check again: a concurrent change may have made the rule incompatible with this one.
    validateChanges(before, input)
    await requirePlaces(tx, changes)
    const recipientsChanged = recipients !== undefined && (await setRecipients(tx, { team_id, rule_id: id }, recipients, now))
    const current = { ...before, property: before.property_id, territory: before.territory_id }
    const changedSettings = keysOf(changes).filter((field) => !isDeepStrictEqual(changes[field], current[field]))
    const changed = [...changedSettings, ...(recipientsChanged ? ['recipients'] : [])]
    if (changed.length === 0) return auditWrite(tx, { kind: 'alert_rule', id, before, after: before, changed })
    const [after] = await tx.alertRule.updateManyAndReturn({ where: { id }, data: { ...columnsOf(changes), updated_at: now } })
    if (!after) throw noSuchRule()
    auditWrite(tx, { kind: 'alert_rule', id, before, after, changed })
  })
  return findAlertRule(app, caller, id)
}

/** @throws Refusal 422 naming each invalid field */
function validateChanges(current: Omit<AlertRuleView, 'recipients'>, input: AlertRuleInput) {
  const faults = gatherFaults()
  const changes = checkRuleChanges({ ...current, property: current.property_id, territory: current.territory_id }, input, faults)
  faults.refuse()
  return changes
}

/**
 * Removes a rule. The ledger keeps its mails, and those still waiting are skipped.
 * @throws Refusal 404
 */
export async function removeAlertRule(app: Writing, caller: Caller, id: string): Promise<void> {
  const before = await findAlertRule(app, caller, id)
  await caller.db.$transaction(async (tx) => {
    await lockTeamRow(tx, caller.team.id)
    const { count } = await tx.alertRule.deleteMany({ where: { id } })
    if (count === 0) throw noSuchRule()
    await deleteUnusedAddressesOfTeam(tx, caller.team.id, app.clock.now())
    auditWrite(tx, { kind: 'alert_rule', id, before })
  })
}

function requireAlerts(caller: Caller): void {
  requireActivePlan(caller)
  requireRecordAlerts(caller)
}

type RuleChanges = Partial<Omit<AlertRuleFields, 'recipients'>>

/** Returns the sent fields by their columns, without those that were not sent. */
function columnsOf({ property, territory, kinds = undefined, ...fields }: RuleChanges) {
  return {
    ...fields,
    ...(kinds && { kinds }),
    ...(property !== undefined && { property_id: property }),
    ...(territory !== undefined && { territory_id: territory }),
  }
}

/**
 * Locks the places of a rule against removal until the transaction ends. A removal locks the place before the team's row, so
 * places are locked first here too.
 */
async function lockPlaces(tx: Pick<ScopedTx, '$queryRaw'>, team_id: string, { property, territory }: RuleChanges): Promise<void> {
  if (property) await tx.$queryRaw`SELECT id FROM properties WHERE id = ${property}::uuid AND team_id = ${team_id}::uuid FOR KEY SHARE`
  if (territory) await tx.$queryRaw`SELECT id FROM territories WHERE id = ${territory}::uuid AND team_id = ${team_id}::uuid FOR KEY SHARE`
}

async function requirePlaces(db: Pick<ScopedTx, 'property' | 'territory'>, { property, territory }: RuleChanges): Promise<void> {
  const faults = gatherFaults()
  if (property)
    faults.unless((await db.property.count({ where: { id: property } })) === 1, 'property', 'There is no property with this id.')
  if (territory)
    faults.unless((await db.territory.count({ where: { id: territory } })) === 1, 'territory', 'There is no territory with this id.')
  faults.refuse()
}

/** Replaces the recipients with those that were sent. Returns whether any was added or removed. */
async function setRecipients(tx: ScopedTx, rule: { team_id: string; rule_id: string }, emails: string[], now: Date): Promise<boolean> {
  const deleted = await tx.alertRecipient.deleteMany({ where: { rule_id: rule.rule_id, email: { notIn: emails }, stopped_at: null } })
  const created = await tx.alertRecipient.createMany({ data: emails.map((email) => ({ ...rule, email })), skipDuplicates: true })
  await requestConfirmations(tx, rule.team_id, emails, now)
  await deleteUnusedAddressesOfTeam(tx, rule.team_id, now)
  return deleted.count + created.count > 0
}
