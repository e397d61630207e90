import { composeAlertMail } from '#domain/alerts/compose-mail.ts'
import { findDueMails, type LeasedMail, leaseMail } from '#domain/alerts/lease-mail.ts'
import { readMailedDays } from '#domain/alerts/read-days.ts'
import { type MailFailure, recordFailure, recordPostponed, recordSending, recordSent, recordSkipped } from '#domain/alerts/record-mail.ts'
import { sendTime } from '#domain/alerts/send-time.ts'
import { stopPath } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { messageIdOf } from '#domain/engines/mail.ts'
import { codeOf } from '#domain/kernel/fault.ts'
import { stageEach } from '#domain/kernel/outbox.ts'
import { planOf } from '#domain/plans/plans.ts'

/**
 * Sends an alert mail that is due. Every mail arrives at least once, and exactly once except in one case. Before the end of a
 * mail is sent, its row is set to `sending`: a worker that dies earlier has sent nothing, and one that dies after it recorded
 * the server's response has sent the mail. Between the two, for the time of one response and one commit, the outcome is
 * unknown. The mail is then sent again under the same Message-ID, by which a receiver recognises it, and the ledger sets
 * `maybe_repeated`.
 */
export async function sendAlertMail(app: App, mail_id: string): Promise<void> {
  const leased = await leaseMail(app, mail_id)
  if (!leased) return
  const obstacle = obstacleTo(app, leased)
  if (obstacle) return recordSkipped(app, leased, obstacle)
  const now = app.clock.now()
  // Quiet hours may have begun since the mail was queued: this may be a retry or a late worker, and the rule may have changed.
  const send_after = sendTime({ ...leased, pace: 'at_once' }, now, leased.timezone)
  if (send_after > now) return recordPostponed(app, leased, send_after)
  const days = await readMailedDays(app, leased.team_id, leased.exposure_ids)
  if (days.length === 0)
    return recordSkipped(app, leased, 'Its storm days were removed or have no records left, or their places are not watched now.')
  const { base_url, console_url } = app.config
  const stop_url = `${base_url}${stopPath(app.config, leased)}`
  const { team_name, rule_name } = leased
  const mail = composeAlertMail(days, { team_name, rule_name: rule_name ?? '', console_url, stop_url })
  let ending = false
  let unrecorded: unknown = null
  try {
    await app.mail.send({
      to: leased.email,
      ...mail,
      message_id: messageIdOf(app.config, leased.id),
      headers: {
        'List-Unsubscribe': `<${stop_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
      async beforeEnd() {
        await recordSending(app, leased, mail.subject).catch((fault: unknown) => {
          unrecorded = fault
          throw fault
        })
        ending = true
      },
    })
  } catch (fault) {
    if (unrecorded === null) return recordFailure(app, leased, failureOf(fault, ending))
    app.log.warn({ mail_id, code: codeOf(unrecorded) }, 'an attempt to send a mail could not be recorded')
    return recordFailure(app, leased, NOT_RECORDED)
  }
  await recordSent(
    app,
    leased,
    days.map(({ id }) => id),
  )
}

function obstacleTo(app: Pick<App, 'mail' | 'clock'>, { rule_name, active, receives, subscription }: LeasedMail): string | null {
  if (!app.mail.configured) return 'This install sends no mail.'
  if (rule_name === null) return 'The rule was removed.'
  if (!active) return 'The rule is inactive.'
  if (!receives) return 'The recipient has left, is no longer in the rule, or has not confirmed.'
  return planOf(subscription, app.clock.now()).includes.record_alerts ? null : "The team's plan has no alerts."
}

/** The database failed before the end of the mail, so the server has no mail and is not the cause. */
const NOT_RECORDED: MailFailure = { reason: 'The service could not record the attempt.', final: false, maybe_sent: false }

/** Response of a server that wants a sign-in first, to whichever command: RFC 4954 section 6. */
const SIGN_IN_REQUIRED = 530

/** @param ending whether the end of the mail was sent: if the server then did not respond, it may have the mail */
function failureOf(fault: unknown, ending: boolean): MailFailure {
  const answer = fault instanceof Error && 'responseCode' in fault ? Number(fault.responseCode) : null
  const reason =
    answer === null ? `The mail server did not respond (${codeOf(fault) ?? 'no code'}).` : `The mail server answered ${answer}.`
  const final = answer !== null && answer >= 500 && answer !== SIGN_IN_REQUIRED && isOfMail(fault)
  return { reason, final, maybe_sent: ending && answer === null }
}

/**
 * Whether the server's response is to the recipient or to the message. All else, such as a sender that it does not accept, is
 * a matter of the settings and passes when the operator mends them.
 */
function isOfMail(fault: unknown): boolean {
  const command = fault instanceof Error && 'command' in fault ? fault.command : undefined
  return command === 'RCPT TO' || (command === 'DATA' && codeOf(fault) === 'EMESSAGE')
}

/** Stages due mails that have no job left. */
export async function stageDueMails(app: Pick<App, 'db' | 'pool' | 'clock'>): Promise<void> {
  const due = await findDueMails(app)
  const jobs = due.map((mail_id) => ({ mail_id }))
  await stageEach(app.db, 'alert.send', jobs)
}
