import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { type AlertMailStatus, alertMailStatuses } from '#domain/closed-sets.ts'
import { oneOf } from '#domain/kernel/fields.ts'
import { optional } from '#domain/kernel/form.ts'
import { type Listing, offsetOf, type PageOf, readListing } from '#domain/kernel/pagination.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

export const alertMailStatusLabels: Record<AlertMailStatus, string> = {
  queued: 'Waiting to be sent',
  sending: 'Being sent',
  retrying: 'Will be tried again',
  sent: 'Delivered to the mail server',
  failed: 'Failed for good',
  skipped: 'Not sent',
}

/** One mail, as the ledger shows it. */
export interface AlertMailView {
  id: string
  rule_id: string
  email: string
  subject: string
  exposure_ids: number[]
  status: AlertMailStatus
  attempts: number
  failure_reason: string | null
  maybe_repeated: boolean
  send_after: Date
  sent_at: Date | null
  failed_at: Date | null
  created_at: Date
}

/** The filters of the ledger. */
export const alertMailFilters = { status: optional(oneOf('The status', alertMailStatuses)) }

/**
 * Returns the alert mails of the team, newest first, including those of removed rules.
 * @throws Refusal 422 with every invalid filter
 */
export async function listAlertMails(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  input: Listing<typeof alertMailFilters>,
): Promise<PageOf<AlertMailView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(alertMailFilters, input, faults)
  faults.refuse()
  const values = [team.id, filters.status ?? null]
  const counted = await pool.query<{ total: number }>({
    name: 'alert.mails.count',
    text: `SELECT count(*)::int AS total ${FILTERED}`,
    values,
  })
  const { rows } = await pool.query<AlertMailView>({
    name: 'alert.mails',
    text: `SELECT id, rule_id, email, subject, exposure_ids, status, attempts, failure_reason, maybe_repeated, send_after, sent_at, failed_at, created_at
           ${FILTERED} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    values: [...values, paging.per_page, offsetOf(paging)],
  })
  return { data: rows, total: counted.rows[0]?.total ?? 0 }
}

const FILTERED = 'FROM alert_mails WHERE team_id = $1 AND ($2::text IS NULL OR status = $2)'
