import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import { readClaim, signClaim, uuidOf } from '#domain/engines/signed-link.ts'

/** 16 bytes of rule id, then 16 of the SHA-256 of the address: no log contains the recipient's address. */
const ID_BYTES = 16
const CLAIM_BYTES = 2 * ID_BYTES

/**
 * Days after a mail for which the key that signed its link is to be kept. The link itself has no expiry; a law such as
 * 15 USC 7704(a)(3)(A) wants it to work for 30 days.
 */
export const STOP_LINK_DAYS = 30

/** Returns the path that every mail of a rule to a recipient carries: anyone who has it may stop the mails while the install holds the key. */
export function stopPath(config: Pick<App['config'], 'secret_keys'>, { rule_id, email }: { rule_id: string; email: string }): string {
  const claim = Buffer.concat([Buffer.from(rule_id.replaceAll('-', ''), 'hex'), digestOf(email)])
  return `/alerts/stop/${signClaim(config, 'weather alert stop link', claim)}`
}

const digestOf = (email: string) => createHash('sha256').update(email).digest().subarray(0, ID_BYTES)

/** The rule and recipient that a link stops. */
export interface StoppableAlert {
  team_id: string
  rule_id: string
  email: string
  rule_name: string
  team_name: string
  stopped: boolean
}

/** Returns what a link would stop; null if this install did not sign it, or if the rule or recipient is gone. */
export async function findStoppable({ db, config }: Pick<App, 'db' | 'config'>, token: string): Promise<StoppableAlert | null> {
  const claim = readClaim(config, 'weather alert stop link', token, CLAIM_BYTES)
  if (!claim) return null
  const recipients = await db.alertRecipient.findMany({
    where: { rule_id: uuidOf(claim) },
    include: { rule: { include: { team: { select: { name: true } } } } },
  })
  const found = recipients.find(({ email }) => digestOf(email).equals(claim.subarray(ID_BYTES)))
  if (!found) return null
  const { team_id, rule_id, email, stopped_at, rule } = found
  return { team_id, rule_id, email, rule_name: rule.name, team_name: rule.team.name, stopped: stopped_at !== null }
}

/** Stops a rule for one recipient, once; mails queued for them are skipped. Returns what was stopped; null if there is nothing to stop. */
export async function stopAlert(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  token: string,
  client: { address: string; request_id: string },
): Promise<StoppableAlert | null> {
  const found = await findStoppable(app, token)
  if (!found || found.stopped) return found
  const { team_id, rule_id, email } = found
  const stopped_at = app.clock.now()
  await app.db.$transaction(async (tx) => {
    const { count } = await tx.alertRecipient.updateMany({ where: { rule_id, email, stopped_at: null }, data: { stopped_at } })
    if (count === 0) return
    const doing = { actor_kind: 'service', actor: 'alert link', operation: 'stopAlert', team_id, ...client } as const
    await appendEntry(tx, doing, { kind: 'alert_rule', id: rule_id, changed: ['recipients'] })
  })
  return { ...found, stopped: true }
}
