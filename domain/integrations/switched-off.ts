import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { messageIdOf, sendMail } from '#domain/engines/mail.ts'
import { localTime } from '#domain/geo/local-time.ts'
import { findDestination } from '#domain/integrations/find.ts'
import { noSuchIntegration } from '#domain/integrations/integration-rows.ts'
import type { IntegrationView } from '#domain/integrations/view.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { RETRY_AFTER_MIN, runWithRetry, type TRIED_AGAIN } from '#domain/kernel/durable-jobs.ts'
import { isUuid } from '#domain/kernel/validation.ts'

interface SwitchedOffRow {
  name: string
  address_hint: string
  switched_off_at: Date
  switched_off_for: string
  team_name: string
  timezone: string
  email: string
}

/** Tries after the usual ones, an hour apart: a day in all, because whoever reads no mail about it may miss events for longer. */
const HOURLY_TRIES = 24

/**
 * Mails the team that the service switched off one of its destinations, as a staged job that is tried for a day.
 * @throws the fault of the last try
 */
export async function mailSwitchedOff(
  app: Pick<App, 'pool' | 'log' | 'mail' | 'config'>,
  { lasting_id, integration_id }: { lasting_id: number; integration_id: string },
): Promise<typeof TRIED_AGAIN | undefined> {
  const minutesAfter = async (tries: number) =>
    RETRY_AFTER_MIN[tries - 1] ?? (tries <= RETRY_AFTER_MIN.length + HOURLY_TRIES ? 60 : undefined)
  return runWithRetry(app, lasting_id, () => sendSwitchedOffMail(app, integration_id), { minutesAfter })
}

/**
 * Sends the mail if there is a mail server and the team has an address; nothing if the destination is active again or removed, or if
 * the team has acknowledged it meanwhile.
 * @throws Error if the mail server does not accept the mail; the message does not contain the address
 */
async function sendSwitchedOffMail(app: Pick<App, 'pool' | 'mail' | 'config'>, integration_id: string): Promise<void> {
  if (!app.mail.configured) return
  const { rows } = await app.pool.query<SwitchedOffRow>(SWITCHED_OFF, [integration_id])
  const [row] = rows
  if (!row) return
  const letter = letterOf(row, `${consoleUrlOf(app.config.base_url)}/destinations/${integration_id}`)
  const message_id = messageIdOf(app.config, `${integration_id}.${row.switched_off_at.getTime()}`)
  await sendMail(app, { to: row.email, ...letter, message_id })
}

const SWITCHED_OFF = `
  SELECT i.name, i.address_hint, i.switched_off_at, i.switched_off_for, t.name AS team_name, t.timezone, t.email
    FROM integrations i JOIN teams t ON t.id = i.team_id
   WHERE i.id = $1 AND NOT i.active AND i.switched_off_at IS NOT NULL AND i.acknowledged_at IS NULL AND t.email IS NOT NULL`

function letterOf({ name, address_hint, switched_off_at, switched_off_for, team_name, timezone }: SwitchedOffRow, page: string) {
  return {
    subject: `Destination switched off: ${name}`,
    text: [
      `The destination "${name}" (${address_hint}) of ${team_name} was switched off on ${localTime(switched_off_at, timezone)}.`,
      switched_off_for,
      '',
      'Nothing is posted to it until someone sets it active again. Waiting posts were skipped. The delivery ledger lists',
      'them, and each can be sent again.',
      '',
      page,
    ].join('\n'),
  }
}

/**
 * Records that the team has acknowledged a destination that the service switched off; `weather status` no longer mentions it.
 * @throws Refusal 404
 */
export async function acknowledgeSwitchedOff(app: App, caller: Caller, id: string): Promise<IntegrationView> {
  if (!isUuid(id)) throw noSuchIntegration()
  await caller.db.$transaction(async (tx) => {
    const acknowledged_at = app.clock.now()
    const { count } = await tx.integration.updateMany({
      where: { id, switched_off_at: { not: null }, acknowledged_at: null },
      data: { acknowledged_at },
    })
    if (count === 0 && (await tx.integration.count({ where: { id } })) === 0) throw noSuchIntegration()
    auditWrite(tx, { kind: 'integration', id, after: count === 0 ? {} : { acknowledged_at } })
  })
  return findDestination(app, caller, id)
}
