import { randomUUID } from 'node:crypto'
import { abilities } from '#domain/access/abilities.ts'
import { derivedToken, hashToken, issueToken, revokeToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { createTeam } from '#domain/plans/teams.ts'

export interface FirstTeam {
  team_id: string
  /** With every ability; the same for every process of the install and at every start, until it is revoked. */
  token: string
}

/** The fact that says which team is the first, and of which text its token is derived under WEATHER_SECRET_KEY. */
const FACT = 'first_team'

interface Fact {
  team_id: string
  prefix: string
  /** Absent before tokens were derived. */
  drawn?: string
}

/**
 * Seats the first team of a self-hosted install, on the highest tier, with one token: only its hash is kept, and every process derives
 * it. Where it is revoked, or the secret key is another, the team gets another one. One process at a time may do this.
 */
export async function createFirstTeam({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): Promise<FirstTeam> {
  const known = await readFact(db)
  const token = known && (await tokenInForce({ db, config }, known))
  if (known && token) return { team_id: known.team_id, token }
  const team_id = known?.team_id ?? (await createTeam(db, clock, { name: 'First team', plan: 'enterprise' })).id
  let drawn = ''
  const draw = () => {
    drawn = randomUUID()
    return derivedToken(config.secret_keys[0].bytes, drawn)
  }
  const wanted = { team_id, name: 'Start', abilities: abilities.map(({ name }) => name), expires_at: null }
  const issued = await issueToken(db, wanted, draw)
  const value = { team_id, prefix: issued.prefix, drawn }
  await db.installFact.upsert({ where: { name: FACT }, create: { name: FACT, value }, update: { value, updated_at: clock.now() } })
  if (known) await revokeToken(db, known.prefix)
  return { team_id, token: issued.token }
}

/** Null where no secret key derives it, or it is revoked. */
async function tokenInForce({ db, config }: Pick<App, 'db' | 'config'>, { drawn }: Fact): Promise<string | null> {
  if (drawn === undefined) return null
  const tokens = config.secret_keys.map(({ bytes }) => derivedToken(bytes, drawn))
  const held = await db.token.findFirst({ where: { hash: { in: tokens.map(hashToken) }, revoked_at: null } })
  return tokens.find((token) => hashToken(token) === held?.hash) ?? null
}

/** The id of the secret key that the first team's token in force is derived under: it ends with that key. Null where no key of the ring derives one. */
export async function keyOfFirstToken({ db, config }: Pick<App, 'db' | 'config'>): Promise<string | null> {
  const drawn = (await readFact(db))?.drawn
  if (drawn === undefined) return null
  const derived = config.secret_keys.map(({ id, bytes }) => ({ id, hash: hashToken(derivedToken(bytes, drawn)) }))
  const held = await db.token.findFirst({ where: { hash: { in: derived.map(({ hash }) => hash) }, revoked_at: null } })
  return derived.find(({ hash }) => hash === held?.hash)?.id ?? null
}

async function readFact(db: Pick<Tx, 'installFact'>): Promise<Fact | null> {
  const fact = await db.installFact.findUnique({ where: { name: FACT } })
  return fact?.value as Fact | null
}
