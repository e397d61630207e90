import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { sharedReadsOf } from '#domain/engines/shared-reads.ts'
import type { Field } from '#domain/kernel/fields.ts'
import { list } from '#domain/kernel/fields.ts'
import { type Form, readNew, required } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { lockTeam } from '#domain/plans/teams.ts'

/** Enough for a team's sites, a staging site and one for each developer; more are probably a mistake. */
export const ORIGINS_MAX = 20
/** A host name has at most 253 characters. */
const LENGTH_MAX = 270

/** Whether only a browser on the same machine can have this host. */
const isLoopback = (host: string) => host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

/** Whether a text is an origin that a team may allow, exactly as a browser sends it: https, or http on loopback. */
function isAllowable(origin: string): boolean {
  return faultOf(origin) === null
}

/** Returns a sentence that says why a text is not a valid origin; null if it is. */
function faultOf(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent.length > LENGTH_MAX || !URL.canParse(sent))
    return 'The origin must be written like https://maps.example.com.'
  if (sent.includes('*')) return 'Name each origin: a wildcard is not allowed.'
  const { origin, protocol, hostname } = new URL(sent)
  const secure = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  if (!secure) return 'The origin must begin with https://, or with http:// on this machine: http://localhost:3000.'
  return sent === origin ? null : `The origin must be exact, without a path: ${origin}.`
}

const origin: Field<string> = {
  name: 'The origin',
  schema: { type: 'string', format: 'uri', maxLength: LENGTH_MAX },
  read(sent, path, faults) {
    const fault = faultOf(sent)
    if (fault) faults.add(path, fault)
    return fault ? null : String(sent)
  },
}

const form = {
  origins: required(list('The origins', origin, { max: ORIGINS_MAX, count: `A team allows at most ${ORIGINS_MAX} origins.` })),
} satisfies Form

/** Returns the sorted origins whose pages may read with the team's tokens; none until an owner adds some. */
export async function readAllowedOrigins({ db }: Pick<App, 'db'>, { team }: Pick<Caller, 'team'>): Promise<string[]> {
  const found = await db.team.findUniqueOrThrow({ where: { id: team.id }, select: { allowed_origins: true } })
  return found.allowed_origins
}

/**
 * Replaces the allowed origins.
 * @throws Refusal 422 with each invalid origin by its index
 */
export async function setAllowedOrigins({ db }: Pick<App, 'db'>, { team }: Pick<Caller, 'team'>, sent: unknown): Promise<string[]> {
  const faults = gatherFaults()
  const { origins } = readNew(form, { origins: sent }, faults)
  faults.refuse()
  const allowed_origins = [...new Set(origins)].toSorted()
  await db.$transaction(async (tx) => {
    const before = await lockTeam(tx, team.id)
    const after = await tx.team.update({ where: { id: team.id }, data: { allowed_origins } })
    const changed = isDeepStrictEqual(before.allowed_origins, allowed_origins) ? [] : ['allowed_origins']
    auditWrite(tx, { team_id: team.id, kind: 'team', id: team.id, before, after, changed })
  })
  return allowed_origins
}

/** Whether the team allows an origin. */
export async function allowsOrigin({ pool }: Pick<App, 'pool'>, { team }: Pick<Caller, 'team'>, origin: string): Promise<boolean> {
  if (!isAllowable(origin)) return false
  return (await pool.query({ name: 'origin.of_team', text: ALLOWED_BY_TEAM, values: [team.id, origin] })).rows.length > 0
}

/**
 * Whether any team allows an origin: before a token is sent, the team is unknown. No counter limits these requests, so concurrent ones
 * share one statement.
 * @param pool the service's own
 */
export async function anyAllowsOrigin({ pool }: Pick<App, 'pool'>, origin: string): Promise<boolean> {
  if (!isAllowable(origin)) return false
  return (await readOrigin({ pool }, origin)).row !== undefined
}

const readOrigin = sharedReadsOf(({ pool }: Pick<App, 'pool'>) => pool, queryOrigins)

async function queryOrigins({ pool }: Pick<App, 'pool'>, wanted: ReadonlyMap<string, number>): Promise<Map<string, true>> {
  const values = [[...wanted.keys()]]
  const { rows } = await pool.query<{ origin: string }>({ name: 'origins.of_any', text: ALLOWED_BY_ANY_TEAM, values })
  return new Map(rows.map(({ origin }) => [origin, true]))
}

const ALLOWED_BY_TEAM = 'SELECT FROM teams WHERE id = $1 AND allowed_origins @> ARRAY[$2::text]'
const ALLOWED_BY_ANY_TEAM = `
  SELECT wanted.origin FROM unnest($1::text[]) AS wanted (origin) WHERE EXISTS (SELECT FROM teams WHERE allowed_origins @> ARRAY[wanted.origin])`
