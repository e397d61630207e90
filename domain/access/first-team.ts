import { abilities } from '#domain/access/abilities.ts'
import { issueToken, revokeToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { createTeam } from '#domain/plans/teams.ts'

export interface FirstTeam {
  team_id: string
  /** Fresh, with every ability; the one of the start before is revoked by now. */
  token: string
}

/** The fact that says which team is the first and which token it was last given. */
const FACT = 'first_team'

/** Seats the first team of a self-hosted install, on the highest tier, and gives it a fresh token: only a hash is kept of the one before. */
export async function seatFirstTeam({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<FirstTeam> {
  const known = await readFact(db)
  const team_id = known?.team_id ?? (await createTeam(db, clock, { name: 'First team', plan: 'enterprise' })).id
  const { token, prefix } = await issueToken(db, { team_id, name: 'Start', abilities: abilities.map(({ name }) => name), expires_at: null })
  const value = { team_id, prefix }
  await db.installFact.upsert({ where: { name: FACT }, create: { name: FACT, value }, update: { value, updated_at: clock.now() } })
  if (known) await revokeToken(db, known.prefix)
  return { team_id, token }
}

async function readFact(db: Pick<Tx, 'installFact'>): Promise<{ team_id: string; prefix: string } | null> {
  const fact = await db.installFact.findUnique({ where: { name: FACT } })
  return fact?.value as { team_id: string; prefix: string } | null
}
