/** Kinds of weather that a rule asks for. */
export const kinds = { hail: 'Hail', wind: 'Wind', tornado: 'Tornado', other: 'Other' } as const

/** What a rule takes as evidence. */
export const evidences = { observed: 'Reported or measured', any: 'Radar estimates as well' } as const

/** When a rule mails. */
export const paces = { at_once: 'Immediately', digest: 'Every morning at 7' } as const

/** How a recipient stands. */
export const recipientStates = {
  member: 'in the team',
  confirmed: 'confirmed',
  unconfirmed: 'not confirmed yet',
  left: 'unsubscribed',
} as const

/** How a mail stands, in the words of the ledger. */
export const mailStatuses = {
  queued: 'Waiting to be sent',
  sending: 'Its end is on the way',
  retrying: 'Will be tried again',
  sent: 'Delivered to the mail server',
  failed: 'Given up',
  skipped: 'Not sent',
} as const
