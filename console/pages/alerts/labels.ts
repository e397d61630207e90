/** The kinds of weather that a rule can match. */
export const kinds = { hail: 'Hail', wind: 'Wind', tornado: 'Tornado', other: 'Other' } as const

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
