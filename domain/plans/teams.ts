import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { type TierId, tierIds } from '#domain/closed-sets.ts'
import type { Clock } from '#domain/engines/clock.ts'
import type { Db, Tx } from '#domain/engines/database.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { isPrintable, unprintable } from '#domain/kernel/printable.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { type Faults, gatherFaults, isOneOf, refuseField } from '#domain/kernel/validation.ts'
import { INVALID_EMAIL, readEmail } from '#domain/people/email.ts'
import { nextRenewal, startOfDay } from '#domain/plans/periods.ts'
import {
  type Ceiling,
  ceilings,
  decimalCeilings,
  integerCeilings,
  leastCeilings,
  overridesOf,
  planOf,
  tierOf,
  trial,
  trialIsOver,
} from '#domain/plans/plans.ts'
import { grantAllowance, lapseAllowance } from '#domain/plans/renewal.ts'
import type { Prisma, Team } from '#generated/prisma/client.ts'

export interface NewTeam {
  name: string
  /** Omitted with `trial`. */
  plan?: TierId
  trial?: boolean
  timezone?: string
  email?: string | null
}

const PLAN_SENTENCE = `The plan must be one of ${tierIds.join(', ')}.`
/** Maximum characters of a team's name. */
const NAME_MAX = 120
/** Default time zone: where most of the country's storms are. */
const DEFAULT_TIMEZONE = 'America/Chicago'

/**
 * Creates a team whose plan starts today (UTC), with its first period's allowance.
 * @throws Refusal validation_failed with each invalid field
 */
export const createTeam = (db: Db, clock: Clock, wanted: NewTeam): Promise<Team> => db.$transaction((tx) => addTeam(tx, clock, wanted))

/** Creates a team within a transaction. */
export async function addTeam(tx: Tx, clock: Clock, wanted: NewTeam): Promise<Team> {
  const { name, plan, timezone, email } = await checkTeam(tx, wanted)
  const now = clock.now()
  const trial_ends_at = wanted.trial ? new Date(now.getTime() + trial.days * DAY_MS) : null
  const { id } = await tx.team.create({ data: { name, plan, timezone, email, trial_ends_at, created_at: now, ...periodFrom(now) } })
  await grantAllowance(tx, id, wanted.trial ? trial.credits : tierOf(plan).monthly_allowance, now)
  const team = await tx.team.findUniqueOrThrow({ where: { id } })
  auditWrite(tx, { team_id: id, kind: 'team', id, after: team })
  return team
}

async function checkTeam(db: Pick<Tx, '$queryRaw'>, { name, plan, timezone = DEFAULT_TIMEZONE, email = null, ...wanted }: NewTeam) {
  const checked = {
    name: name.trim(),
    plan: wanted.trial ? trial.tier : tierIds.find((id) => id === plan),
    timezone,
    email: email === null ? null : readEmail(email),
  }
  const faults = gatherFaults()
  faults.unless(checked.name !== '' && checked.name.length <= NAME_MAX, 'name', `The name must have 1 to ${NAME_MAX} characters.`)
  faults.unless(isPrintable(checked.name), 'name', unprintable('The name'))
  faults.unless(checked.plan !== undefined, 'plan', PLAN_SENTENCE)
  faults.unless(await isTimezone(db, timezone), 'timezone', `The timezone must be an IANA name such as ${DEFAULT_TIMEZONE}.`)
  faults.unless(email === null || checked.email !== null, 'email', INVALID_EMAIL)
  faults.refuse()
  return { ...checked, plan: present(checked.plan) }
}

/**
 * Puts a team on a plan from today: a new period starts, the rest of the old allowance lapses, and the new one is
 * granted. Ends a trial and a lapse. Does nothing if the team is already on the plan, without trial or lapse.
 */
export async function setPlan(db: Db, clock: Clock, team_id: string, plan: TierId): Promise<Team> {
  if (!tierIds.includes(plan)) refuseField('plan', PLAN_SENTENCE)
  const now = clock.now()
  return db.$transaction(async (tx) => {
    const team = await lockTeam(tx, team_id)
    if (team.plan === plan && !team.lapsed_at && !team.trial_ends_at) return noteTeam(tx, team, team)
    await lapseAllowance(tx, team_id, now)
    const moved = await tx.team.update({
      where: { id: team_id },
      data: { plan, trial_ends_at: null, lapsed_at: null, used_this_period: 0, used_beyond_grant: 0, ...periodFrom(now) },
    })
    await grantAllowance(tx, team_id, planOf(moved, now).monthly_allowance, now)
    return noteTeam(tx, team, await tx.team.findUniqueOrThrow({ where: { id: team_id } }))
  })
}

/**
 * Lapses a team's plan, or ends its lapse. While lapsed, reads work, held places stay watched, and writes that cost credits or
 * watch a place are refused. Ending a lapse grants the allowance of the current period, if it began meanwhile. An expired trial
 * stays expired: only a plan ends that. Does nothing if the state is already so.
 */
export async function lapseTeam(db: Db, clock: Clock, team_id: string, undo: boolean): Promise<Team> {
  return db.$transaction(async (tx) => {
    const team = await lockTeam(tx, team_id)
    if (undo === (team.lapsed_at === null) || (undo && trialIsOver(team, clock.now()))) return noteTeam(tx, team, team)
    const changed = await tx.team.update({ where: { id: team_id }, data: { lapsed_at: undo ? null : clock.now() } })
    if (!undo) return noteTeam(tx, team, changed)
    await grantMissedAllowance(tx, changed, clock.now())
    return noteTeam(tx, team, await tx.team.findUniqueOrThrow({ where: { id: team_id } }))
  })
}

/** Grants the allowance of a period that began during a lapse, when none was granted. */
async function grantMissedAllowance(tx: Tx, team: Team, now: Date): Promise<void> {
  const granted = await tx.creditTransaction.count({
    where: { team_id: team.id, kind: 'allowance', created_at: { gte: team.period_started_at } },
  })
  if (granted === 0) await grantAllowance(tx, team.id, planOf(team, now).monthly_allowance, now)
}

/**
 * Overrides single ceilings of one team; null restores the tier's value.
 * @throws Refusal validation_failed with each invalid ceiling; not_found if there is no such team
 */
export async function setLimits(db: Db, team_id: string, limits: Partial<Record<Ceiling, number | null>>): Promise<Team> {
  const faults = gatherFaults()
  for (const [name, value] of Object.entries(limits)) checkCeiling(faults, name, value)
  faults.refuse()
  return db.$transaction(async (tx) => {
    const team = await lockTeam(tx, team_id)
    const merged = { ...overridesOf(team.limit_overrides), ...limits }
    const limit_overrides = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
    return noteTeam(tx, team, await tx.team.update({ where: { id: team_id }, data: { limit_overrides } }))
  })
}

/** Records an operator's change of a team in the team's own chain. */
function noteTeam(tx: Tx, before: Team, after: Team): Team {
  auditWrite(tx, { team_id: after.id, kind: 'team', id: after.id, before, after })
  return after
}

function checkCeiling(faults: Faults, name: string, value: number | null): void {
  if (!isOneOf(ceilings, name)) return void faults.add(name, `There is no ceiling called ${name}.`)
  if (value === null) return
  const least = leastCeilings[name] ?? 0
  const whole = integerCeilings[name]
  const most = whole ?? present(decimalCeilings[name])
  const isAllowed = value >= least && value <= most && (whole === undefined || Number.isInteger(value))
  faults.unless(isAllowed, name, `The ${name} must be a ${whole === undefined ? 'number' : 'whole number'} from ${least} to ${most}.`)
}

/**
 * Lists every team, oldest first.
 * @param columns the columns to read; all by default
 */
export async function listTeams(db: Pick<Tx, 'team'>, columns: Pick<Prisma.TeamFindManyArgs, 'select'> = {}): Promise<Team[]> {
  return db.team.findMany({ ...columns, orderBy: [{ created_at: 'asc' }, { id: 'asc' }] })
}

function periodFrom(now: Date) {
  const renewal_day = now.getUTCDate()
  return { renewal_day, period_started_at: startOfDay(now), renews_at: nextRenewal(now, renewal_day) }
}

/** Returns the team's row, locked until the transaction ends. */
export async function lockTeam(tx: Tx, team_id: string): Promise<Team> {
  await lockTeamRow(tx, team_id)
  const team = await tx.team.findUnique({ where: { id: team_id } })
  if (!team) throw new Refusal('not_found', 'There is no team with this id.')
  return team
}

/** Zones that PostgreSQL knows, as far as they were asked for: it reads the files of all 600 to answer. */
const databaseZones = new Set<string>()

/** Whether Node.js and PostgreSQL both know a zone: their tables differ, one finds local mornings and the other shows them. */
async function isTimezone(db: Pick<Tx, '$queryRaw'>, name: string): Promise<boolean> {
  if (databaseZones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  const known = await db.$queryRaw<unknown[]>`SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${name})`
  if (known.length > 0) databaseZones.add(name)
  return known.length > 0
}
