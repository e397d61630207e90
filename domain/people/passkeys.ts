import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { countClient } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { appendEntry, type Operation } from '#domain/audit/audit-log.ts'
import { isPrintable, unprintable } from '#domain/kernel/printable.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid, refuseField } from '#domain/kernel/validation.ts'
import type { SignedIn } from '#domain/people/admit-person.ts'
import { CHALLENGE_MS, openChallenge, takeChallenge } from '#domain/people/passkey-challenges.ts'
import { notAccepted, readRegistration, readSignIn } from '#domain/people/passkey-responses.ts'
import { type Client, lockPerson, openSession } from '#domain/people/sessions.ts'
import type { Passkey, Prisma } from '#generated/prisma/client.ts'

type Passkeys = Pick<App, 'db' | 'clock' | 'config' | 'limiter'>
type Self = SignedIn['person']

/** Challenges and responses of one client in a minute: each sign-in page requests a challenge, and an office shares one IP address. */
const ATTEMPTS_PER_CLIENT = 60
/** Enough for every device and password manager of a person. */
const PASSKEYS_MAX = 20
/** The name appears in a list, like a token's name. */
const NAME_MAX = 80
/** EdDSA, ES256 and RS256, as COSE identifiers: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey as its owner sees it. */
export type PasskeyView = Pick<Passkey, 'id' | 'name' | 'backed_up' | 'created_at' | 'used_at'>

const columns = { id: true, name: true, backed_up: true, created_at: true, used_at: true } satisfies Prisma.PasskeySelect

/** Options for the browser, and the secret of the cookie that lets it respond. */
export interface Ceremony<Options> {
  secret: string
  options: Options
}

/** Lists a person's passkeys, oldest first. */
export async function listPasskeys({ db }: Pick<App, 'db'>, person_id: string): Promise<PasskeyView[]> {
  return db.passkey.findMany({ where: { person_id }, orderBy: [{ created_at: 'asc' }, { id: 'asc' }], select: columns })
}

/** Starts the registration of a discoverable passkey with user verification (fingerprint, face or PIN). */
export async function beginRegistration(
  app: Passkeys,
  person: Self,
  { address }: Pick<Client, 'address'>,
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
  await countClient(app, 'passkey-by', address, ATTEMPTS_PER_CLIENT)
  const existing = await app.db.passkey.findMany({ where: { person_id: person.id }, select: { credential_id: true, transports: true } })
  requireBelowMaximum(existing.length)
  const { secret, challenge } = await openChallenge(app, person.id)
  const options = await generateRegistrationOptions({
    rpName: 'Weather desk',
    rpID: relyingParty(app).id,
    userID: handleOf(person.id),
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { secret, options }
}

/**
 * Stores the passkey that signed the browser's challenge.
 * @param secret the value of the browser's cookie
 * @throws Refusal unauthenticated if the response is not valid for the challenge; validation_failed with the invalid field
 */
export async function registerPasskey(
  app: Passkeys,
  person: Self,
  secret: string | null,
  sent: { name: string; response: unknown },
  client: Client,
): Promise<PasskeyView> {
  const name = readName(sent.name)
  const challenge = secret && (await takeChallenge(app, secret, person.id))
  if (!challenge) throw notAccepted()
  const response = readRegistration(sent.response)
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(app)
  const { verified, registrationInfo } = await orNotAccepted(
    verifyRegistrationResponse({ response, expectedChallenge: challenge, expectedOrigin, expectedRPID, supportedAlgorithmIDs: ALGORITHMS }),
  )
  if (!verified) throw notAccepted()
  const { credential, credentialBackedUp: backed_up } = registrationInfo
  return app.db.$transaction(async (tx) => {
    await lockPerson(tx, person.id)
    if (!(await tx.session.count({ where: { id: person.session_id } }))) throw notAccepted()
    requireBelowMaximum(await tx.passkey.count({ where: { person_id: person.id } }))
    if (await tx.passkey.count({ where: { credential_id: credential.id } })) throw notAccepted()
    const passkey = await tx.passkey.create({
      data: {
        person_id: person.id,
        credential_id: credential.id,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: response.response.transports,
        backed_up,
        handed_over: person.handed_over,
        name,
        created_at: app.clock.now(),
      },
      select: columns,
    })
    await appendEntry(tx, operationOf('registerPasskey', person.id, client), { kind: 'passkey', id: passkey.id, after: passkey })
    return passkey
  })
}

/** Removes one of a person's own passkeys. */
export async function removePasskey({ db }: Pick<App, 'db'>, person: Self, id: string, client: Client): Promise<void> {
  await db.$transaction(async (tx) => {
    const before = isUuid(id) ? await tx.passkey.findFirst({ where: { id, person_id: person.id }, select: columns }) : null
    const { count } = before ? await tx.passkey.deleteMany({ where: { id } }) : { count: 0 }
    if (!before || count === 0) throw new Refusal('not_found', 'You have no passkey with this id.')
    await appendEntry(tx, operationOf('removePasskey', person.id, client), { kind: 'passkey', id: before.id, before })
  })
}

/** Starts a sign-in with any passkey that the user chooses. It names nobody, so that it does not reveal who has an account. */
export async function beginSignIn(
  app: Passkeys,
  { address }: Pick<Client, 'address'>,
): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>> {
  await countClient(app, 'passkey-by', address, ATTEMPTS_PER_CLIENT)
  const { secret, challenge } = await openChallenge(app, null)
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(app).id,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  })
  return { secret, options }
}

/**
 * Signs in the person whose passkey signed the browser's challenge.
 * @param secret the value of the browser's cookie
 * @returns the value of the session cookie
 * @throws Refusal unauthenticated, with the same message for every fault
 */
export async function signInByPasskey(app: Passkeys, secret: string | null, sent: unknown, client: Client): Promise<string> {
  await countClient(app, 'passkey-by', client.address, ATTEMPTS_PER_CLIENT)
  const challenge = secret && (await takeChallenge(app, secret, null))
  if (!challenge) throw notAccepted()
  const response = readSignIn(sent)
  const found = await app.db.passkey.findUnique({ where: { credential_id: response.id } })
  if (!found || !handleOf(found.person_id).equals(Buffer.from(response.response.userHandle, 'base64url'))) throw notAccepted()
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(app)
  const { verified, authenticationInfo } = await orNotAccepted(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: found.credential_id, publicKey: new Uint8Array(found.public_key), counter: Number(found.counter) },
    }),
  )
  if (!verified) throw notAccepted()
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    await lockPerson(tx, found.person_id)
    // The counter was verified against the value read above. If it changed meanwhile, one of two concurrent signatures is from a copy.
    const { count } = await tx.passkey.updateMany({
      where: { id: found.id, counter: found.counter },
      data: { counter: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp, used_at: now },
    })
    if (count === 0) throw notAccepted()
    return openSession(tx, now, found, client)
  })
}

/** The relying party of passkeys: the console's host name and origin. */
function relyingParty({ config }: Pick<App, 'config'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(config.console_url)
  return { id: hostname, origin }
}

/** The user handle of a passkey: an id without personal data. */
const handleOf = (person_id: string) => Buffer.from(person_id.replaceAll('-', ''), 'hex')

/** Turns every fault of a verifier into the same refusal: the sender caused it, and learns no details. */
async function orNotAccepted<Verified>(verification: Promise<Verified>): Promise<Verified> {
  try {
    return await verification
  } catch (cause) {
    throw Object.assign(notAccepted(), { cause })
  }
}

/** @throws Refusal validation_failed for a person who has as many passkeys as they may */
function requireBelowMaximum(existing: number): void {
  if (existing >= PASSKEYS_MAX) refuseField('name', `You have ${PASSKEYS_MAX} passkeys: remove one that you no longer use.`)
}

function readName(sent: string): string {
  const name = sent.trim()
  if (name === '' || name.length > NAME_MAX) refuseField('name', `The name must have 1 to ${NAME_MAX} characters.`)
  if (!isPrintable(name)) refuseField('name', unprintable('The name'))
  return name
}

/** The operation for the install's own chain: a passkey belongs to a person, not to a team. */
const operationOf = (operation: string, person_id: string, { address, request_id }: Client): Operation => ({
  ...{ actor_kind: 'person', actor: person_id, operation },
  ...{ team_id: null, request_id, address },
})
