import type { Caller, CallerPerson } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { type Listener, type Listening, listen } from '#domain/engines/notices.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { validSessionSql } from '#domain/people/sessions.ts'

/** The parts of a team whose changes are announced. */
export const changeSubjects = ['exposures', 'reports', 'properties', 'territories', 'memberships'] as const
export type ChangeSubject = (typeof changeSubjects)[number]

/** A subscriber: an open page of a team. */
export interface Follower {
  changed(subjects: ChangeSubject[]): void
  /** The session has ended, the person is no longer in the team, or the service stops. The last call. */
  ended(): void
}

/** Announces to open pages of a team that something changed, never what: the page then requests the data as usual. */
export interface TeamChanges {
  /** @throws Refusal rate_limited if the person has FOLLOWED_MAX subscriptions */
  requireRoom(caller: Caller): void
  /**
   * @returns a function that unsubscribes
   * @throws Refusal rate_limited if the person has FOLLOWED_MAX subscriptions
   */
  follow(caller: Caller, follower: Follower): () => void
  /**
   * Ends all subscriptions, and each later one at once: a page that a stop has disconnected subscribes again over an open connection, and
   * would keep the service from stopping.
   */
  close(): Promise<void>
}

/** Changes within this time are announced together. */
const BATCH_MS = 300
/** Interval of access checks: a notification may be lost with its connection, and sessions also expire. */
const RECHECK_INTERVAL_MS = 30_000
/** Pages that a person may have open at once. */
const FOLLOWED_MAX = 20

interface Following {
  team_id: string
  person_id: string
  session_id: string
  follower: Follower
  /** Changes since the last announcement. */
  pending: Set<ChangeSubject>
  timer: NodeJS.Timeout | undefined
}

type Followings = Set<Following>

type Engines = Pick<App, 'pool' | 'clock' | 'config' | 'log'>

/** Opens no connection before the first subscription. */
export function openTeamChanges(app: Engines): TeamChanges {
  const followings: Followings = new Set()
  let listening: Listening | undefined
  let recheckTimer: NodeJS.Timeout | undefined
  let isClosed = false
  return {
    requireRoom: (caller) => void requireRoom(followings, caller),
    follow(caller, follower) {
      if (isClosed) {
        follower.ended()
        return () => {}
      }
      const following = followingOf(requireRoom(followings, caller), caller.team.id, follower)
      followings.add(following)
      listening ??= listen(app.config.database_direct_url, 'changes', 'weather changes', listenerOf(app, followings))
      recheckTimer ??= setInterval(() => void endRevoked(app, followings, [...followings]), RECHECK_INTERVAL_MS).unref()
      // Access may have been revoked since the request was admitted.
      void endRevoked(app, followings, [following])
      return () => unsubscribe(followings, following)
    },
    async close() {
      isClosed = true
      clearInterval(recheckTimer)
      for (const following of followings) end(followings, following)
      await listening?.close()
    },
  }
}

/** @throws Refusal rate_limited if the person has FOLLOWED_MAX subscriptions */
function requireRoom(followings: Followings, { person }: Caller): CallerPerson {
  if (!person) throw new Error('only a signed-in person can follow a team')
  const existing = [...followings].filter(({ person_id }) => person_id === person.id)
  if (existing.length >= FOLLOWED_MAX)
    throw new Refusal('rate_limited', `At most ${FOLLOWED_MAX} open pages can receive changes at once. Close some of them.`, {
      retry_after: 60,
    })
  return person
}

function followingOf({ id, session_id }: CallerPerson, team_id: string, follower: Follower): Following {
  return { team_id, person_id: id, session_id, follower, pending: new Set(), timer: undefined }
}

/** A notice is "team ID SUBJECT", "person ID" or "person ID SUBJECT". What was sent while the connection was down is unknown, so everything may have changed. */
function listenerOf(app: Engines, followings: Followings): Listener {
  return {
    notice(payload) {
      const [of, id, subject] = payload.split(' ')
      const affected = [...followings].filter(({ team_id, person_id }) => id === (of === 'team' ? team_id : person_id))
      if (of === 'person' || subject === 'memberships') void endRevoked(app, followings, affected)
      if (isSubject(subject)) for (const following of affected) announce(following, [subject])
    },
    started() {
      void endRevoked(app, followings, [...followings])
      for (const following of followings) announce(following, changeSubjects)
    },
  }
}

function endRevoked(app: Engines, followings: Followings, candidates: Following[]): Promise<void> {
  return findRevoked(app, candidates).then(
    (revoked) => {
      for (const following of revoked) end(followings, following)
    },
    (fault: Error) => app.log.warn({ reason: fault.message }, 'the access of pages that follow a team could not be checked'),
  )
}

function end(followings: Followings, following: Following): void {
  if (!followings.has(following)) return
  unsubscribe(followings, following)
  following.follower.ended()
}

function unsubscribe(followings: Followings, following: Following): void {
  clearTimeout(following.timer)
  followings.delete(following)
}

/** Announces changes after a short delay, together with any that follow until then. */
function announce(following: Following, subjects: readonly ChangeSubject[]): void {
  for (const subject of subjects) following.pending.add(subject)
  following.timer ??= setTimeout(() => {
    following.timer = undefined
    const changed = [...following.pending]
    following.pending.clear()
    following.follower.changed(changed)
  }, BATCH_MS)
}

function isSubject(word: string | undefined): word is ChangeSubject {
  return changeSubjects.some((subject) => subject === word)
}

/** Returns the subscriptions whose session has ended or whose person has left the team. */
async function findRevoked({ pool, clock }: Pick<App, 'pool' | 'clock'>, followings: Following[]): Promise<Following[]> {
  if (followings.length === 0) return []
  const now = clock.now()
  const values = [followings.map(({ session_id }) => session_id), followings.map(({ team_id }) => team_id), now]
  const { rows } = await pool.query<{ place: number }>({ name: 'who_is_in', text: VALID_FOLLOWINGS, values })
  const validPositions = new Set(rows.map(({ place }) => place))
  return followings.filter((_following, place) => !validPositions.has(place + 1))
}

const VALID_FOLLOWINGS = `
  SELECT f.place::int AS place FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS f (session_id, team_id, place)
    JOIN sessions s ON s.id = f.session_id AND ${validSessionSql('s', '$3')}
    JOIN memberships m ON m.person_id = s.person_id AND m.team_id = f.team_id`
