import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { MINUTE_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'

/** Long enough for somebody to return to a sign-in page that offers passkeys automatically. */
export const CHALLENGE_MS = 10 * MINUTE_MS

/** A challenge for a passkey to sign. */
export interface OpenedChallenge {
  /** For the browser's cookie, so that nobody else can use the challenge. */
  secret: string
  challenge: string
}

/**
 * Opens a challenge for one browser.
 * @param person_id the person who registers a passkey; null for a sign-in, where the person is not known yet
 * @throws Refusal unauthenticated if the person was deleted meanwhile
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
 * Removes the browser's challenge, whatever the result: each can be used only once.
 * @returns null if the browser has no valid challenge, or one of another kind or person
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

/** Deletes unused challenges. */
export async function deleteOldChallenges({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await db.passkeyChallenge.deleteMany({ where: { expires_at: { lte: clock.now() } } })
}
