import type { App } from '#domain/app.ts'
import { networkOf } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { browserName } from '#domain/people/browser-name.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'

/** An unused session ends after this. */
const SESSION_IDLE_MS = 12 * HOUR_MS
/** Every session ends after this, however much it is used. */
export const SESSION_MAX_MS = 30 * DAY_MS

/** `seen_at` is accurate to the minute: a session in use is updated no more often. */
const SEEN_UPDATE_INTERVAL_MS = 60_000

/** SQL that is true for a session that is valid at $now. */
export const validSessionSql = (session: string, now: string) =>
  `${session}.expires_at > ${now} AND ${session}.seen_at > ${now}::timestamptz - interval '${SESSION_IDLE_MS} milliseconds'`

/**
 * Updates `seen_at` of a session if it is more than a minute old. This runs after the request's own statement; most requests need no
 * second one.
 */
export async function updateSeenAt({ pool }: Pick<App, 'pool'>, { id, seen_at }: { id: string; seen_at: Date }, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SEEN_UPDATE_INTERVAL_MS)
  if (seen_at > before) return
  await pool.query({ name: 'note_seen', text: UPDATE_SEEN_AT, values: [id, now, before] })
}

/** Of many concurrent requests, only the first updates the row. */
const UPDATE_SEEN_AT = 'UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at <= $3'

/** The client of a sign-in. */
export interface Client {
  /** The full IP address; only its network is stored. */
  address: string
  user_agent: string | undefined
  request_id: string
}

/** The proof of a sign-in. */
export interface Proof {
  person_id: string
  /** Whether the sign-in used a link that somebody else passed on, and so could have used too. */
  handed_over: boolean
  /** The address that the company's provider vouched for; null for any other sign-in. */
  company_email?: string | null
}

/** A session as its owner sees it. */
export interface SessionView {
  id: string
  created_at: Date
  seen_at: Date
  network: string | null
  browser: string | null
  /** True for the session of the request. */
  current: boolean
}

/**
 * Signs a person in: creates a session with a secret of 256 random bits, of which only the hash is stored.
 * @returns the value of the cookie
 */
export async function openSession(
  tx: Pick<Tx, 'session' | 'person'>,
  now: Date,
  { person_id, handed_over, company_email = null }: Proof,
  client: Client,
): Promise<string> {
  const secret = drawSecret()
  await tx.session.create({
    data: {
      hash: hashSecret(secret),
      person_id,
      handed_over,
      company_email,
      created_at: now,
      seen_at: now,
      expires_at: new Date(now.getTime() + SESSION_MAX_MS),
      network: networkOf(client.address),
      browser: browserName(client.user_agent),
    },
  })
  await tx.person.update({ where: { id: person_id }, data: { signed_in_at: now } })
  return secret
}

/** Ends the session of a cookie; does nothing if there is none. */
export async function endSession({ db }: Pick<App, 'db'>, secret: string): Promise<void> {
  await db.session.deleteMany({ where: { hash: hashSecret(secret) } })
}

/** Lists a person's valid sessions, the most recently used first. */
export async function listSessions(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id, session_id }: { id: string; session_id: string },
): Promise<SessionView[]> {
  const now = clock.now()
  const rows = await db.session.findMany({
    where: { person_id: id, expires_at: { gt: now }, seen_at: { gt: idleSince(now) } },
    orderBy: [{ seen_at: 'desc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({ ...row, current: row.id === session_id }))
}

/** Ends one session of a person, or all except the current one. Returns how many ended. */
export async function endSessions(
  tx: Pick<Tx, 'session'>,
  { id: person_id, session_id }: { id: string; session_id: string },
  which: string | null,
): Promise<number> {
  if (which !== null && !isUuid(which)) return 0
  const { count } = await tx.session.deleteMany({ where: { person_id, id: which ?? { not: session_id } } })
  return count
}

/**
 * Locks a person until the transaction ends. Meanwhile no other transaction can register passkeys of the person, sign in with one, or
 * end them. Take this lock before any lock on the person's passkeys or sessions.
 */
export async function lockPerson(tx: Pick<Tx, '$executeRaw'>, person_id: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM people WHERE id = ${person_id}::uuid FOR NO KEY UPDATE`
}

/**
 * Locks the person who has an e-mail address; undefined if nobody has it. The lock keeps the cleanup of people without a team from
 * deleting somebody who is signing in.
 */
export async function lockPersonByEmail(tx: Pick<Tx, '$queryRaw'>, email: string): Promise<{ id: string } | undefined> {
  const [person] = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM people WHERE email = ${email} FOR NO KEY UPDATE`
  return person
}

/**
 * Deletes a person's sessions and passkeys that came from links which others passed on. Only a mail to the address, or a link from the
 * operator, proves who the person is; an earlier user of a passed-on link may have been somebody else.
 */
export async function revokeHandedOver(tx: Pick<Tx, 'session' | 'passkey' | '$executeRaw'>, person_id: string): Promise<void> {
  await lockPerson(tx, person_id)
  const where = { person_id, handed_over: true }
  await tx.passkey.deleteMany({ where })
  await tx.session.deleteMany({ where })
}

/** Deletes ended sessions. */
export async function deleteEndedSessions({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.session.deleteMany({ where: { OR: [{ expires_at: { lte: now } }, { seen_at: { lte: idleSince(now) } }] } })
}

/** Returns the time before which an unused session has ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - SESSION_IDLE_MS)
