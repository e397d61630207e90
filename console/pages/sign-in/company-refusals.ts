/** Why the company's sign-in returned without signing anybody in. */
export const companyRefusals = {
  expired: 'This sign-in took too long, or was started in another browser. Start again.',
  not_accepted:
    "The response of your company's sign-in was not accepted. Start again. If it happens again, contact the operator of this service.",
  no_address: 'Your company account has no verified e-mail address in an allowed domain.',
  other_account: 'Your e-mail address belongs to another account here. Sign in with a link or a passkey.',
  no_place: 'You are not in a team yet. Ask a team owner to invite your e-mail address.',
  too_many: 'Too many people of your network are signing in at once. Try again in a minute.',
  away: "Your company's sign-in is not responding. Try again in a minute.",
} as const

export type CompanyRefusal = keyof typeof companyRefusals

/** A refusal from the URL; undefined for any other value. */
export const companyRefusal = (sent: unknown): CompanyRefusal | undefined =>
  typeof sent === 'string' && Object.hasOwn(companyRefusals, sent) ? (sent as CompanyRefusal) : undefined
