import { randomUUID } from 'node:crypto'
import { abilityNames } from '#domain/access/abilities.ts'
import { derivedToken, hashToken, issueToken, revokeToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { createTeam } from '#domain/plans/teams.ts'

export interface FirstTeam {
  team_id: string
  /** Has every ability; the same in every process of the install, until it is revoked or a start draws another. */
  token: string
}

/** Name of the install fact that stores the first team and the text from which its token is derived with WEATHER_SECRET_KEY. */
const FACT = 'first_team'

interface Fact {
  team_id: string
  prefix: string
  /** Text that the token is derived from; absent in a fact from a version that did not derive tokens. */
  drawn?: string
}

/**
 * Creates the first team of a self-hosted install, on the highest tier, with one token. Only the token's hash is stored, and every
 * process derives the token. If it is revoked, or the secret key changed, the team gets a new one. Only one process may run this at a
 * time.
 * @param options `fresh_token`: draws another token and revokes the one before, for an install of a single process, whose terminal
 *   shows the token
 */
export async function createFirstTeam(
  { db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>,
  { fresh_token = false }: { fresh_token?: boolean } = {},
): Promise<FirstTeam> {
  const existing = await readFact(db)
  const token = existing && !fresh_token && (await findValidToken({ db, config }, existing))
  if (existing && token) return { team_id: existing.team_id, token }
  const team_id = existing?.team_id ?? (await createTeam(db, clock, { name: 'First team', plan: 'enterprise' })).id
  let drawn = ''
  const derive = () => {
    drawn = randomUUID()
    return derivedToken(config.secret_keys[0].bytes, drawn)
  }
  const request = { team_id, name: 'Start', abilities: [...abilityNames], expires_at: null }
  const issued = await issueToken(db, request, derive)
  const value = { team_id, prefix: issued.prefix, drawn }
  await db.installFact.upsert({ where: { name: FACT }, create: { name: FACT, value }, update: { value, updated_at: clock.now() } })
  if (existing) await revokeToken(db, existing.prefix)
  return { team_id, token: issued.token }
}

/** Returns the token; null if no secret key derives it, or it is revoked. */
async function findValidToken({ db, config }: Pick<App, 'db' | 'config'>, { drawn }: Fact): Promise<string | null> {
  if (drawn === undefined) return null
  const tokens = config.secret_keys.map(({ bytes }) => derivedToken(bytes, drawn))
  const stored = await db.token.findFirst({ where: { hash: { in: tokens.map(hashToken) }, revoked_at: null } })
  return tokens.find((token) => hashToken(token) === stored?.hash) ?? null
}

/** Returns the id of the secret key that derives the first team's valid token, which ends with that key; null if no key does. */
export async function keyOfFirstToken({ db, config }: Pick<App, 'db' | 'config'>): Promise<string | null> {
  const drawn = (await readFact(db))?.drawn
  if (drawn === undefined) return null
  const derived = config.secret_keys.map(({ id, bytes }) => ({ id, hash: hashToken(derivedToken(bytes, drawn)) }))
  const stored = await db.token.findFirst({ where: { hash: { in: derived.map(({ hash }) => hash) }, revoked_at: null } })
  return derived.find(({ hash }) => hash === stored?.hash)?.id ?? null
}

async function readFact(db: Pick<Tx, 'installFact'>): Promise<Fact | null> {
  const fact = await db.installFact.findUnique({ where: { name: FACT } })
  return fact?.value as Fact | null
}
