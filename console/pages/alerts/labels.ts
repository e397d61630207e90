import { moment } from '../../parts/format.ts'

/** The kinds of weather that a rule can match. */
export const kinds = { hail: 'Hail', wind: 'Wind', tornado: 'Tornado or funnel cloud', other: 'Other' } as const

/** The evidence that a rule requires. */
export const evidences = { observed: 'Reported or measured', any: 'Radar estimates as well' } as const

/** When a rule sends its mails. */
export const paces = { at_once: 'Immediately', digest: 'Every morning at 7' } as const

/** States of a recipient. */
export const recipientStates = {
  member: 'in the team',
  confirmed: 'confirmed',
  unconfirmed: 'not confirmed yet',
  left: 'unsubscribed',
} as const

/** Statuses of a mail, in the words of the service. */
export const mailStatuses = {
  queued: 'Waiting to be sent',
  sending: 'Being sent',
  retrying: 'Will be tried again',
  sent: 'Delivered to the mail server',
  failed: 'Failed for good',
  skipped: 'Not sent',
} as const

interface Mail {
  status: keyof typeof mailStatuses
  sent_at: string | null
  failed_at: string | null
  send_after: string
  created_at: string
}

/** When a mail was sent or failed, or when it is due. One that was not sent is no longer due: when it was queued. */
export function whenOf({ status, sent_at, failed_at, send_after, created_at }: Mail): string {
  const isWaiting = status === 'queued' || status === 'sending' || status === 'retrying'
  return isWaiting ? `due ${moment(send_after)}` : moment(sent_at ?? failed_at ?? created_at)
}
