import { abilityNames } from '#domain/access/abilities.ts'
import { readExpiry } from '#domain/access/expiry.ts'
import { type Holder, type IdempotentRequest, type KeyClient, onceWithSecret } from '#domain/access/idempotency.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import { type IssuedToken, issueToken, revokeToken } from '#domain/access/tokens.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { Clock } from '#domain/engines/clock.ts'
import type { Tx } from '#domain/engines/database.ts'
import { printableExcerpt, UNKNOWN_MAX } from '#domain/kernel/form.ts'
import { isPrintable, unprintable } from '#domain/kernel/printable.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, isOneOf, refuseField } from '#domain/kernel/validation.ts'
import type { Prisma, Token } from '#generated/prisma/client.ts'

/** A request for a token. */
export interface TokenRequest {
  team_id: string
  name: string
  abilities: readonly string[]
  /** ISO 8601; null: the token does not expire. */
  expires_at: string | null
}

/** Maximum characters of a token's name. */
const NAME_MAX = 120

/** The most valid tokens of a team: each has a rate limit of its own, and together they are the most requests that a team can make. */
export const TOKENS_MAX = 200

/**
 * Lists a team's tokens, oldest first, including revoked ones.
 * @param columns the columns to read; all by default
 */
export async function listTokens(
  db: Pick<Tx, 'token' | 'team'>,
  team_id: string,
  columns: Pick<Prisma.TokenFindManyArgs, 'select'> = {},
): Promise<Token[]> {
  await requireTeam(db, team_id)
  return db.token.findMany({ ...columns, where: { team_id }, orderBy: [{ created_at: 'asc' }, { id: 'asc' }] })
}

/**
 * Issues a token to a team after validating the request. At most one token of an idempotency key is valid: a repeated request means
 * that the token was lost, since it is not stored, so it is revoked and replaced.
 * @param holder the owner of the key: the team, or the install
 * @throws Refusal validation_failed with each invalid field, and with `idempotency_key` if the key's token was used or revoked;
 *   with `name` if the team has too many valid tokens; not_found if there is no such team; 409 for the key
 */
export async function grantToken<Client extends KeyClient & TokenClient>(
  { clock }: Pick<App, 'clock'>,
  holder: Holder<Client>,
  request: TokenRequest,
  idempotency: IdempotentRequest | null,
): Promise<IssuedToken> {
  return onceWithSecret<{ prefix: string }, IssuedToken, Client>(holder, idempotency, async (tx, lost) => {
    if (lost) await revokeLost(tx, lost.prefix)
    const shown = await validateAndIssue(tx, clock, request)
    return { kept: { prefix: shown.prefix }, shown }
  })
}

async function revokeLost(tx: TokenClient, prefix: string): Promise<void> {
  const lost = await tx.token.findFirst({ where: { prefix, last_used_at: null, revoked_at: null } })
  if (!lost) refuseField('idempotency_key', `The token ${prefix} of this key was used or revoked: issue another token with another key.`)
  await withdrawToken(tx, prefix)
}

/** The part of a transaction that issues and revokes tokens. */
type TokenClient = Pick<Tx, 'token' | 'team' | '$executeRaw' | '$queryRaw'>

async function validateAndIssue(db: TokenClient, clock: Clock, request: TokenRequest): Promise<IssuedToken> {
  const faults = gatherFaults()
  const name = request.name.trim()
  faults.unless(name !== '' && name.length <= NAME_MAX, 'name', `The name must have 1 to ${NAME_MAX} characters.`)
  faults.unless(isPrintable(name), 'name', unprintable('The name'))
  faults.unless(request.abilities.length > 0, 'abilities', 'The token needs at least one ability.')
  const unknown = [...new Set(request.abilities)].filter((ability) => !isOneOf(abilityNames, ability))
  for (const ability of unknown.slice(0, UNKNOWN_MAX)) faults.add('abilities', `There is no ability called ${printableExcerpt(ability)}.`)
  const expires_at = readExpiry(request.expires_at, faults, clock)
  faults.refuse()
  await requireTeam(db, request.team_id)
  await lockTeamRow(db, request.team_id)
  await requireBelowCap(db, clock, request.team_id)
  const issued = await issueToken(db, {
    team_id: request.team_id,
    name,
    abilities: [...new Set(request.abilities.filter((ability) => isOneOf(abilityNames, ability)))],
    expires_at,
  })
  const { team_id, prefix } = issued
  auditWrite(db, { team_id, kind: 'token', id: prefix, after: { abilities: issued.abilities, expires_at } })
  return issued
}

/**
 * Revokes a token at once and permanently; does nothing if it is already revoked.
 * @throws Refusal not_found if no token has the prefix
 */
export async function withdrawToken(db: Pick<Tx, 'token' | '$executeRaw'>, prefix: string): Promise<Token> {
  const before = await db.token.findUnique({ where: { prefix } })
  await revokeToken(db, prefix)
  const token = await db.token.findUnique({ where: { prefix } })
  if (!token) throw new Refusal('not_found', 'There is no token with this prefix.')
  auditWrite(db, { team_id: token.team_id, kind: 'token', id: prefix, before, after: token })
  return token
}

/** Revoked and expired tokens do not count. The caller has locked the team's row. */
async function requireBelowCap(db: Pick<Tx, 'token'>, clock: Clock, team_id: string): Promise<void> {
  const valid = { team_id, revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: clock.now() } }] }
  if ((await db.token.count({ where: valid })) >= TOKENS_MAX)
    refuseField('name', `A team has at most ${TOKENS_MAX} valid tokens. Revoke one first.`)
}

async function requireTeam(db: Pick<Tx, 'team'>, team_id: string): Promise<void> {
  const found = await db.team.findUnique({ where: { id: team_id }, select: { id: true } })
  if (!found) throw new Refusal('not_found', 'There is no team with this id.')
}
