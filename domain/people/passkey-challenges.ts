import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'

/** Long enough for somebody to come back to a page of sign-in that offers passkeys by itself. */
export const CHALLENGE_MS = 10 * MINUTE_MS

/** What a passkey is to sign. */
export interface OpenedChallenge {
  /** For the browser's cookie: whoever else has the challenge cannot answer it. */
  secret: string
  challenge: string
}

/**
 * Opens a challenge for one browser.
 * @param person_id who registers a passkey; null of a sign-in, where nobody is known yet
 * @throws Refusal unauthenticated where they were forgotten meanwhile
 */
export async function openChallenge({ db, clock }: Pick<App, 'db' | 'clock'>, person_id: string | null): Promise<OpenedChallenge> {
  const [secret, challenge] = [drawSecret(), drawSecret()]
  const expires_at = new Date(clock.now().getTime() + CHALLENGE_MS)
  const opened = await db.$executeRaw`
    INSERT INTO passkey_challenges (hash, challenge, person_id, expires_at)
    SELECT ${hashSecret(secret)}, ${challenge}, ${person_id}::uuid, ${expires_at}
     WHERE ${person_id}::uuid IS NULL OR EXISTS (SELECT FROM people WHERE id = ${person_id}::uuid FOR KEY SHARE)`
  if (opened === 0) throw new Refusal('unauthenticated', 'You are not signed in any more.')
  return { secret, challenge }
}

/**
 * Takes the browser's challenge away, whatever its answer is worth: none is tried twice.
 * @returns null where the browser has none in force, or one of another kind or person
 */
export async function takeChallenge(
  { db, clock }: Pick<App, 'clock'> & { db: Pick<Tx, '$queryRaw'> },
  secret: string,
  person_id: string | null,
): Promise<string | null> {
  const [taken] = await db.$queryRaw<{ challenge: string; person_id: string | null; expires_at: Date }[]>`
    DELETE FROM passkey_challenges WHERE hash = ${hashSecret(secret)} RETURNING challenge, person_id, expires_at`
  return taken && taken.person_id === person_id && taken.expires_at > clock.now() ? taken.challenge : null
}

/** Forgets challenges that nobody answered. */
export async function deleteOldChallenges({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await db.passkeyChallenge.deleteMany({ where: { expires_at: { lte: clock.now() } } })
}
