import { composeAlertMail } from '#domain/alerts/compose-mail.ts'
import { findDueMails, type LeasedMail, leaseMail } from '#domain/alerts/lease-mail.ts'
import { readMailedDays } from '#domain/alerts/read-days.ts'
import { type MailFailure, recordFailure, recordSending, recordSent, recordSkipped } from '#domain/alerts/record-mail.ts'
import { stopPath } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { codeOf } from '#domain/kernel/fault.ts'
import { stageEach } from '#domain/kernel/outbox.ts'
import { planOf } from '#domain/plans/plans.ts'

/**
 * Sends an alert mail that is due. Every mail arrives: at least once, and once but for one moment. Before its end is sent the row
 * says `sending`; a worker that dies earlier has sent nothing, and one that dies after the server's answer was written has sent it.
 * Between the two, the time of one answer and one commit, nobody can know: the mail is sent again under the same Message-ID, by which
 * a receiver knows it, and the ledger says `maybe_repeated`.
 */
export async function sendAlertMail(app: App, mail_id: string): Promise<void> {
  const leased = await leaseMail(app, mail_id)
  if (!leased) return
  const obstacle = obstacleTo(app, leased)
  if (obstacle) return recordSkipped(app, leased, obstacle)
  const days = await readMailedDays(app, leased.team_id, leased.exposure_ids)
  if (days.length === 0) return recordSkipped(app, leased, 'No record of what it names is held any more.')
  const { base_url, console_url } = app.config
  const stop_url = `${base_url}${stopPath(app.config, leased)}`
  const { team_name, rule_name } = leased
  const letter = composeAlertMail(days, { team_name, rule_name: rule_name ?? '', console_url, stop_url })
  let ending = false
  try {
    await app.mail.send({
      to: leased.email,
      ...letter,
      message_id: messageIdOf(app, leased),
      headers: {
        'List-Unsubscribe': `<${stop_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
      async beforeEnd() {
        await recordSending(app, leased, letter.subject)
        ending = true
      },
    })
  } catch (fault) {
    return recordFailure(app, leased, failureOf(fault, ending))
  }
  await recordSent(app, leased)
}

function obstacleTo(app: Pick<App, 'mail' | 'clock'>, { rule_name, active, receives, subscription }: LeasedMail): string | null {
  if (!app.mail.configured) return 'This install sends no mail.'
  if (rule_name === null) return 'The rule was removed.'
  if (!active) return 'The rule is inactive.'
  if (!receives) return 'The recipient has left, is no longer of the rule, or has not confirmed.'
  return planOf(subscription, app.clock.now()).includes.record_alerts ? null : 'The plan of the team has no alerts.'
}

/** By which a receiver knows that a mail is one that it has: RFC 5322 section 3.6.4. */
function messageIdOf({ config }: Pick<App, 'config'>, { id }: Pick<LeasedMail, 'id'>): string {
  return `<${id}@${new URL(config.base_url).hostname}>`
}

/** Codes of nodemailer where the server refused the recipient, or the message. Others, such as a sign-in that failed, pass. */
const REFUSED = ['EENVELOPE', 'EMESSAGE']

/** @param ending whether the end of the mail was sent: where the server then answered nothing, it may have it */
function failureOf(fault: unknown, ending: boolean): MailFailure {
  const answer = fault instanceof Error && 'responseCode' in fault ? Number(fault.responseCode) : null
  const code = codeOf(fault)
  const reason = answer === null ? `The mail server did not answer (${code ?? 'no code'}).` : `The mail server answered ${answer}.`
  return { reason, final: answer !== null && answer >= 500 && REFUSED.includes(String(code)), unheard: ending && answer === null }
}

/** Stages what is due and has no job any more. */
export async function stageDueMails(app: Pick<App, 'db' | 'pool' | 'clock'>): Promise<void> {
  const due = await findDueMails(app)
  const jobs = due.map((mail_id) => ({ mail_id }))
  await stageEach(app.db, 'alert.send', jobs)
}
