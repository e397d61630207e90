import { countClient } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { type Claims, IdentityRefused } from '#domain/engines/identity-provider.ts'
import type { OidcSettings } from '#domain/kernel/config.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { readEmail } from '#domain/people/email.ts'
import { placeOperation } from '#domain/people/invitations.ts'
import { readProvidedName } from '#domain/people/person.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { type Client, lockPersonByEmail, openSession, revokeHandedOver } from '#domain/people/sessions.ts'
import { pathWithin } from '#domain/people/sign-in-links.ts'
import type { Person } from '#generated/prisma/client.ts'

/** Long enough to find a telephone for the provider's second factor. */
export const COMPANY_SIGN_IN_MS = 10 * MINUTE_MS
/** Sign-ins that one client may start or finish in a minute. */
const ATTEMPTS_PER_CLIENT = 30
/** Teams of a claim that are read. */
const CLAIMED_TEAMS_MAX = 50

/** Why a sign-in failed: a closed set, so that no page shows text from a URL. */
export type CompanyRefusal = 'expired' | 'not_accepted' | 'no_address' | 'other_account' | 'no_place' | 'too_many' | 'away'

export class CompanySignInRefused extends Error {
  constructor(readonly reason: CompanyRefusal) {
    super(`company sign-in: ${reason}`)
    this.name = 'CompanySignInRefused'
  }
}

type Signing = Pick<App, 'db' | 'clock' | 'limiter' | 'config' | 'identity_provider' | 'log'>

/**
 * Starts a sign-in at the company's provider for one browser.
 * @param return_to path within the console; anything else is ignored
 * @returns the URL to open, and the value of the cookie meanwhile
 * @throws Refusal not_found if the install has no provider; CompanySignInRefused `away` if it does not respond
 */
export async function beginCompanySignIn(
  app: Signing,
  return_to: string | null,
  { address }: Pick<Client, 'address'>,
): Promise<{ url: string; secret: string }> {
  const { provider } = requireProvider(app)
  await countClient(app, 'company-by', address, ATTEMPTS_PER_CLIENT)
  const { url, ...pending } = await refuseOnFailure(app, provider.begin())
  const secret = drawSecret()
  const expires_at = new Date(app.clock.now().getTime() + COMPANY_SIGN_IN_MS)
  await app.db.companySignIn.create({ data: { hash: hashSecret(secret), return_to: pathWithin(return_to), expires_at, ...pending } })
  return { url, secret }
}

/**
 * Finishes the sign-in when the provider sends the browser back. A known person is identified by their account at the provider. A
 * first-time user is identified by an e-mail address in a company domain that the provider has verified, and needs a team: an existing
 * membership, a team that the provider's claim names, or an invitation. Signing in accepts no invitation: the team that sends one
 * would see when they sign in, and could lead them to work in it by mistake. The console offers each instead.
 * @param secret the value of the browser's cookie; it works for one response
 * @throws CompanySignInRefused; Refusal rate_limited
 */
export async function finishCompanySignIn(
  app: Signing,
  secret: string | null,
  url: URL,
  client: Client,
): Promise<{ secret: string; return_to: string | null }> {
  const { provider, settings } = requireProvider(app)
  await countClient(app, 'company-by', client.address, ATTEMPTS_PER_CLIENT)
  const now = app.clock.now()
  const pending = secret ? await takePending(app.db, secret) : null
  if (!pending || pending.expires_at <= now) throw new CompanySignInRefused('expired')
  const claims = await refuseOnFailure(app, provider.finish(url, pending))
  return app.db.$transaction(async (tx) => {
    const company_email = companyAddress(settings, claims)
    const person = await personOf(tx, settings, claims, company_email, now, client)
    await revokeHandedOver(tx, person.id)
    const sessionSecret = await openSession(tx, now, { person_id: person.id, handed_over: false, company_email }, client)
    return { secret: sessionSecret, return_to: pending.return_to }
  })
}

function requireProvider({ identity_provider: provider, config: { oidc: settings } }: Signing) {
  if (provider && settings) return { provider, settings }
  throw new Refusal('not_found', 'This service has no company sign-in.')
}

/** Removes the browser's pending sign-in, whatever the result: each can be used only once. */
async function takePending(db: Signing['db'], secret: string) {
  const [pending] = await db.$queryRaw<
    { state: string; nonce: string; code_verifier: string; return_to: string | null; expires_at: Date }[]
  >`
    DELETE FROM company_sign_ins WHERE hash = ${hashSecret(secret)} RETURNING state, nonce, code_verifier, return_to, expires_at`
  return pending ?? null
}

/** Logs what is wrong with the provider's response; the user only sees that it was not accepted. */
async function refuseOnFailure<Answer>({ log }: Pick<App, 'log'>, response: Promise<Answer>): Promise<Answer> {
  try {
    return await response
  } catch (err) {
    // Log only the message: the error's properties contain tokens and personal data.
    log.warn({ reason: messageOf(err instanceof IdentityRefused ? err.cause : err) }, 'a company sign-in failed')
    throw new CompanySignInRefused(err instanceof IdentityRefused ? 'not_accepted' : 'away')
  }
}

async function personOf(
  tx: Tx,
  settings: OidcSettings,
  claims: Claims,
  email: string | null,
  now: Date,
  client: Client,
): Promise<Pick<Person, 'id'>> {
  const { issuer } = settings
  const { subject } = claims
  const known = await lockKnown(tx, issuer, subject)
  if (known) {
    await tx.identity.update({ where: { id: known.id }, data: { used_at: now } })
    await joinClaimedTeams(tx, settings, claims, known.person_id, now, client)
    return { id: known.person_id }
  }
  if (!email) throw new CompanySignInRefused('no_address')
  // Of two concurrent first sign-ins, the second waits here and finds the person that the first created.
  await tx.person.createMany({ data: [{ email, name: readProvidedName(claims.name), created_at: now }], skipDuplicates: true })
  const person = await lockByAddress(tx, email, { issuer, subject })
  const account = { person_id: person.id, issuer, subject }
  await tx.identity.createMany({ data: [{ ...account, created_at: now, used_at: now }], skipDuplicates: true })
  await joinClaimedTeams(tx, settings, claims, person.id, now, client)
  if (!(await hasPlace(tx, person.id, email, now))) throw new CompanySignInRefused('no_place')
  return person
}

/** Locks the person with an account at the provider, so that the cleanup does not delete them meanwhile; undefined if there is none. */
async function lockKnown(tx: Tx, issuer: string, subject: string): Promise<{ id: string; person_id: string } | undefined> {
  const [known] = await tx.$queryRaw<{ id: string; person_id: string }[]>`
    SELECT i.id, i.person_id FROM identities i JOIN people p ON p.id = i.person_id
     WHERE i.issuer = ${issuer} AND i.subject = ${subject} FOR NO KEY UPDATE OF p`
  return known
}

/** Returns the e-mail address if the provider verified it and its domain belongs to the company. */
function companyAddress({ domains }: OidcSettings, { email: sent }: Claims): string | null {
  const email = sent === null ? null : readEmail(sent)
  return email && domains.includes(email.slice(email.lastIndexOf('@') + 1)) ? email : null
}

/**
 * Returns the person with the e-mail address. An address alone never identifies an operator, or somebody who has another account at
 * the provider: a company may reassign an address to a new employee.
 */
async function lockByAddress(
  tx: Tx,
  email: string,
  { issuer, subject }: Pick<OidcSettings, 'issuer'> & Pick<Claims, 'subject'>,
): Promise<Pick<Person, 'id'>> {
  await lockPersonByEmail(tx, email)
  const person = await tx.person.findUnique({ where: { email }, include: { identities: { where: { issuer } } } })
  // The cleanup of people without a team deleted them meanwhile.
  if (!person) throw new CompanySignInRefused('no_place')
  const has_other = person.identities.some((identity) => identity.subject !== subject)
  if (person.operator_roles.length > 0 || has_other) throw new CompanySignInRefused('other_account')
  return person
}

/** Whether a first-time user is in a team, or invited to one. */
async function hasPlace(tx: Tx, person_id: string, email: string, now: Date): Promise<boolean> {
  if (await tx.membership.count({ where: { person_id } })) return true
  return (await tx.invitation.count({ where: { email, expires_at: { gt: now } } })) > 0
}

/** Adds a locked person to the teams that the provider's claim names. A claim never changes the role of a member. */
async function joinClaimedTeams(
  tx: Tx,
  { team_claim, role }: OidcSettings,
  { all }: Claims,
  person_id: string,
  now: Date,
  client: Client,
): Promise<void> {
  const claimed = team_claim === null ? [] : idsIn(all[team_claim])
  if (claimed.length === 0) return
  // Sorted, because each team's audit log chain stays locked until the end.
  const teams = await tx.team.findMany({ where: { id: { in: claimed } }, orderBy: { id: 'asc' }, select: { id: true } })
  for (const { id: team_id } of teams) {
    const { count } = await tx.membership.createMany({ data: [{ team_id, person_id, role, created_at: now }], skipDuplicates: true })
    if (count > 0)
      await appendEntry(tx, placeOperation('joinByCompany', person_id, team_id, client), { kind: 'member', id: person_id, after: { role } })
  }
}

/** Reads a claim that is one id or a list of ids; anything else names no team. */
const idsIn = (claim: unknown): string[] =>
  [claim]
    .flat()
    .slice(0, CLAIMED_TEAMS_MAX)
    .filter((id): id is string => typeof id === 'string' && isUuid(id))

/** Deletes sign-ins that were never finished. */
export async function deleteOldCompanySignIns({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await db.companySignIn.deleteMany({ where: { expires_at: { lte: clock.now() } } })
}
