import type { App } from '#domain/app.ts'
import { foldAddress } from '#domain/places/fold.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Names the rules by which answers are accepted: one that was cached under others is asked for anew. */
const RULES = 2

/** What the configured provider answered before, under the rules of today; null where nothing. */
export async function readCache({ geocode, pool }: Pick<App, 'geocode' | 'pool'>, query: string): Promise<LocatedPlace | null> {
  if (!geocode.provider) return null
  const { rows } = await pool.query<{ answer: LocatedPlace }>({
    name: 'geocode-answer',
    text: 'SELECT answer FROM geocode_answers WHERE provider = $1 AND query_key = $2 AND rules = $3',
    values: [geocode.provider, foldAddress(query), RULES],
  })
  return rows[0]?.answer ?? null
}

/** Keeps what the provider answered. */
export async function writeCache(
  { geocode, pool, clock }: Pick<App, 'geocode' | 'pool' | 'clock'>,
  query: string,
  place: LocatedPlace,
): Promise<void> {
  await pool.query(
    `INSERT INTO geocode_answers (provider, query_key, answer, rules, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (provider, query_key) DO UPDATE SET answer = EXCLUDED.answer, rules = EXCLUDED.rules, created_at = EXCLUDED.created_at`,
    [geocode.provider, foldAddress(query), JSON.stringify(place), RULES, clock.now()],
  )
}
