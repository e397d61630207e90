import type { App } from '#domain/app.ts'
import { networkOf } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { browserName } from '#domain/people/browser-name.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'

/** A session that nobody uses ends after this. */
const SESSION_IDLE_MS = 12 * HOUR_MS
/** However much it is used, it ends after this. */
export const SESSION_MAX_MS = 30 * DAY_MS

/** `seen_at` is kept to the minute: a session in use is written so often, and no more. */
const SEEN_EVERY_MS = 60_000

/** SQL that is true of a session in force at the moment $now. */
export const inForce = (session: string, now: string) =>
  `${session}.expires_at > ${now} AND ${session}.seen_at > ${now}::timestamptz - interval '${SESSION_IDLE_MS} milliseconds'`

/**
 * Notes that a session is used, where it was not noted within the last minute: after the request's own statement, which most requests are
 * alone with.
 */
export async function noteSeen({ pool }: Pick<App, 'pool'>, { id, seen_at }: { id: string; seen_at: Date }, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SEEN_EVERY_MS)
  if (seen_at > before) return
  await pool.query({ name: 'note_seen', text: NOTE_SEEN, values: [id, now, before] })
}

/** Of many requests at once, the first writes. */
const NOTE_SEEN = 'UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at <= $3'

/** Where somebody signs in. */
export interface Client {
  /** Whole; a network is kept of it. */
  address: string
  user_agent: string | undefined
  request_id: string
}

/** What somebody showed who signs in. */
export interface Proof {
  person_id: string
  /** Whether they came by a link that somebody else passed on, who then had it too. */
  handed_over: boolean
}

/** A session as its owner sees it. */
export interface SessionView {
  id: string
  created_at: Date
  seen_at: Date
  network: string | null
  browser: string | null
  /** True of the one that asks. */
  current: boolean
}

/**
 * Signs a person in: a session of 256 random bits, of which the hash is kept.
 * @returns what the cookie holds
 */
export async function openSession(
  tx: Pick<Tx, 'session' | 'person'>,
  now: Date,
  { person_id, handed_over }: Proof,
  client: Client,
): Promise<string> {
  const secret = drawSecret()
  await tx.session.create({
    data: {
      hash: hashSecret(secret),
      person_id,
      handed_over,
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

/** Ends the session of a cookie; nothing where there is none. */
export async function endSession({ db }: Pick<App, 'db'>, secret: string): Promise<void> {
  await db.session.deleteMany({ where: { hash: hashSecret(secret) } })
}

/** A person's sessions in force, the newest first. */
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

/** Ends one session of a person, or all but the one that asks. Answers how many ended. */
export async function endSessions(
  tx: Pick<Tx, 'session'>,
  { id: person_id, session_id }: { id: string; session_id: string },
  which: string | null,
): Promise<number> {
  const { count } = await tx.session.deleteMany({ where: { person_id, id: which ?? { not: session_id } } })
  return count
}

/**
 * Until the transaction ends nobody else registers a passkey of the person, signs in by one, or ends them: who waited finds what is left. It is
 * taken before any of their passkeys or sessions.
 */
export async function lockPerson(tx: Pick<Tx, '$executeRaw'>, person_id: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM people WHERE id = ${person_id}::uuid FOR NO KEY UPDATE`
}

/**
 * The same of whoever has an address; undefined where nobody has. Nobody who signs in is forgotten, as one whom no team has, before they are
 * seen to have come.
 */
export async function lockHolder(tx: Pick<Tx, '$queryRaw'>, email: string): Promise<{ id: string } | undefined> {
  const [person] = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM people WHERE email = ${email} FOR NO KEY UPDATE`
  return person
}

/**
 * Ends what began with links that others passed on, passkeys too: whoever reads the address's mail, or had a link from the operator,
 * is the person, and whoever was there before them may have been somebody else.
 */
export async function endHandedOver(tx: Pick<Tx, 'session' | 'passkey' | '$executeRaw'>, person_id: string): Promise<void> {
  await lockPerson(tx, person_id)
  const where = { person_id, handed_over: true }
  await tx.passkey.deleteMany({ where })
  await tx.session.deleteMany({ where })
}

/** Forgets sessions that have ended. */
export async function deleteEndedSessions({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.session.deleteMany({ where: { OR: [{ expires_at: { lte: now } }, { seen_at: { lte: idleSince(now) } }] } })
}

/** Sessions that were last seen before have ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - SESSION_IDLE_MS)
