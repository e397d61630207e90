/** Why the company's sign-in led back without anybody signed in. */
export const companyRefusals = {
  expired: 'This sign-in took too long, or was begun in another browser. Begin anew.',
  not_accepted:
    "The answer of your company's sign-in was not accepted. Begin anew; if it happens again, say so to whoever runs this service.",
  no_address: 'Your account has no address of the company that its sign-in vouches for.',
  other_account: 'Your address is known here with another account. Sign in by a link or a passkey.',
  no_place: 'No team has a place for you yet. Ask an owner to invite your address.',
  away: "Your company's sign-in does not answer. Try again in a minute.",
} as const

export type CompanyRefusal = keyof typeof companyRefusals

/** One of them, as an address has it; undefined for anything else. */
export const companyRefusal = (sent: unknown): CompanyRefusal | undefined =>
  typeof sent === 'string' && Object.hasOwn(companyRefusals, sent) ? (sent as CompanyRefusal) : undefined
