import type { App } from '#domain/app.ts'
import { inTransaction, type Tx } from '#domain/engines/database.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { present } from '#domain/kernel/present.ts'
import { fold, foldAddress } from '#domain/places/fold.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Version of the rules for accepting answers: an answer cached under another version is requested again. */
const RULES = 3

/** Install fact that counts the erasures of people from the cache. */
const FORGOTTEN = 'geocode_answers_forgotten'
const LOCK = "hashtextextended('geocode answers', 0)"

/** A cached answer, and the number of erasures before it was read. */
interface CachedAnswer {
  /** Cached answer of the configured provider under the current rules; null if there is none. */
  place: LocatedPlace | null
  forgotten: number
}

/** Reads the cached answer of the configured provider. */
export async function readCache({ geocode, pool }: Pick<App, 'geocode' | 'pool'>, query: string): Promise<CachedAnswer> {
  if (!geocode.provider) return { place: null, forgotten: 0 }
  const { rows } = await pool.query<CachedAnswer>({
    name: 'geocode-answer',
    text: `SELECT (SELECT answer FROM geocode_answers WHERE provider = $1 AND query_key = $2 AND rules = $3) AS place,
                  coalesce((SELECT value::int FROM install_facts WHERE name = $4), 0) AS forgotten`,
    values: [geocode.provider, foldAddress(query), RULES, FORGOTTEN],
  })
  return present(rows[0])
}

/**
 * Caches the provider's answer, unless a person was erased since the query or is being erased now: the address may name them.
 * @param forgotten `forgotten` of the cache read before the query
 */
export async function writeCache(
  { geocode, pool, clock }: Pick<App, 'geocode' | 'pool' | 'clock'>,
  query: string,
  place: LocatedPlace,
  forgotten: number,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock_shared(${LOCK}) AS free`)
    if (!rows[0]?.free) return
    await client.query(
      `INSERT INTO geocode_answers (provider, query_key, answer, rules, created_at)
       SELECT $1, $2, $3::jsonb, $4, $5 WHERE coalesce((SELECT value::int FROM install_facts WHERE name = $6), 0) = $7
       ON CONFLICT (provider, query_key) DO UPDATE SET answer = EXCLUDED.answer, rules = EXCLUDED.rules, created_at = EXCLUDED.created_at`,
      [geocode.provider, foldAddress(query), JSON.stringify(place), RULES, clock.now(), FORGOTTEN, forgotten],
    )
  })
}

/** Every answer is compared with each pattern: more patterns could exceed the statement timeout. */
const PATTERNS_AT_ONCE = 20

/** What addresses that are to be deleted contain. */
interface Forgotten {
  /** Whole words in this order: the cache is that of all teams, and parts of words are in most addresses. */
  phrases: string[]
  /** Digits, with or without spaces between them. */
  digits: string[]
}

/**
 * Deletes the answers to addresses that contain any of these. Answers to earlier queries that are still under way are not cached, and
 * nothing is cached until the transaction ends.
 */
export async function forgetAnswers(tx: Pick<Tx, '$executeRaw' | '$executeRawUnsafe'>, { phrases, digits }: Forgotten): Promise<void> {
  await tx.$executeRawUnsafe(`SELECT pg_advisory_xact_lock(${LOCK})`)
  await tx.$executeRaw`
    INSERT INTO install_facts AS f (name, value) VALUES (${FORGOTTEN}, '1')
    ON CONFLICT (name) DO UPDATE SET value = to_jsonb((f.value)::int + 1), updated_at = now()`
  const ofPhrases = distinct(phrases.map(fold).flatMap((words) => [`% ${words} %`, `% ${words}${POSSESSIVE} %`]))
  for (const some of chunksOf(ofPhrases, PATTERNS_AT_ONCE))
    await tx.$executeRaw`DELETE FROM geocode_answers WHERE ' ' || query_key || ' ' LIKE ANY (${some}::text[])`
  for (const some of chunksOf(distinct(digits.map((number) => `%${number}%`)), PATTERNS_AT_ONCE))
    await tx.$executeRaw`DELETE FROM geocode_answers WHERE replace(query_key, ' ', '') LIKE ANY (${some}::text[])`
}

/** How the last word of "Jane Doe's house" ends in a key, which has no apostrophes. */
const POSSESSIVE = 's'

const distinct = (patterns: string[]) => [...new Set(patterns)]
