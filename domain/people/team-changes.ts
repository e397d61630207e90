import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { type Listening, listen } from '#domain/engines/notices.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { inForce } from '#domain/people/sessions.ts'

/** What of a team can be looked at as it changes. */
export const changeSubjects = ['exposures', 'reports', 'properties', 'territories', 'memberships'] as const
export type ChangeSubject = (typeof changeSubjects)[number]

/** Somebody who looks at a team's page. */
export interface Follower {
  changed(subjects: ChangeSubject[]): void
  /** Their session has ended, they are in the team no more, or the service stops. Nothing comes after it. */
  ended(): void
}

/** Announces to people who look at a team's pages that something changed there, never what: whoever hears it asks as ever. */
export interface TeamChanges {
  /**
   * @returns what stops it
   * @throws Refusal rate_limited where a person follows as often as one may
   */
  follow(caller: Caller, follower: Follower): () => void
  /** Ends all that follow. */
  close(): Promise<void>
}

/** Changes that come close together are announced at once. */
const TOGETHER_MS = 300
/** A notice may be lost with its connection, and a session ends by time too: who follows is looked at so often. */
const LOOK_EVERY_MS = 30_000
/** Pages that a person has open at once. */
const FOLLOWED_MAX = 20

interface Following {
  team_id: string
  person_id: string
  session_id: string
  follower: Follower
  /** What changed since they last heard. */
  unsaid: Set<ChangeSubject>
  timer: NodeJS.Timeout | undefined
}

/** Opens nothing before somebody follows. */
export function openTeamChanges({ pool, clock, config, log }: Pick<App, 'pool' | 'clock' | 'config' | 'log'>): TeamChanges {
  const followings = new Set<Following>()
  let listening: Listening | undefined
  let looking: NodeJS.Timeout | undefined

  const leave = (following: Following) => {
    clearTimeout(following.timer)
    followings.delete(following)
  }
  const end = (following: Following) => {
    if (!followings.has(following)) return
    leave(following)
    following.follower.ended()
  }
  const endThoseWhoAreOut = (some: Following[]) =>
    whoIsOut({ pool, clock }, some).then(
      (out) => out.forEach(end),
      (fault: Error) => log.warn({ reason: fault.message }, 'who follows a team could not be looked at'),
    )
  const heard = {
    notice(payload: string) {
      const [of, id, subject] = payload.split(' ')
      const meant = [...followings].filter(({ team_id, person_id }) => id === (of === 'team' ? team_id : person_id))
      if (of === 'person' || subject === 'memberships') void endThoseWhoAreOut(meant)
      if (isSubject(subject)) for (const following of meant) announce(following, [subject])
    },
    began() {
      void endThoseWhoAreOut([...followings])
      for (const following of followings) announce(following, changeSubjects)
    },
  }

  return {
    follow({ team, person }, follower) {
      if (!person) throw new Error('a team is followed by people alone')
      const theirs = [...followings].filter(({ person_id }) => person_id === person.id)
      if (theirs.length >= FOLLOWED_MAX)
        throw new Refusal('rate_limited', `At most ${FOLLOWED_MAX} pages hear of changes at once. Close some of them.`, {
          retry_after: 60,
        })
      const following: Following = {
        team_id: team.id,
        person_id: person.id,
        session_id: person.session_id,
        follower,
        unsaid: new Set(),
        timer: undefined,
      }
      followings.add(following)
      listening ??= listen(config.database_direct_url, 'changes', 'weather changes', heard)
      looking ??= setInterval(() => void endThoseWhoAreOut([...followings]), LOOK_EVERY_MS).unref()
      // They may have been put out since they were let in.
      void endThoseWhoAreOut([following])
      return () => leave(following)
    },
    async close() {
      clearInterval(looking)
      looking = undefined
      for (const following of followings) end(following)
      const open = listening
      listening = undefined
      await open?.close()
    },
  }
}

/** Says soon that something of these changed, with what else changes until then. */
function announce(following: Following, subjects: readonly ChangeSubject[]): void {
  for (const subject of subjects) following.unsaid.add(subject)
  following.timer ??= setTimeout(() => {
    following.timer = undefined
    const changed = [...following.unsaid]
    following.unsaid.clear()
    following.follower.changed(changed)
  }, TOGETHER_MS)
}

function isSubject(word: string | undefined): word is ChangeSubject {
  return changeSubjects.some((subject) => subject === word)
}

/** Those whose session is over, or who are in the team no more. */
async function whoIsOut({ pool, clock }: Pick<App, 'pool' | 'clock'>, followings: Following[]): Promise<Following[]> {
  if (followings.length === 0) return []
  const now = clock.now()
  const values = [followings.map(({ session_id }) => session_id), followings.map(({ team_id }) => team_id), now]
  const { rows } = await pool.query<{ place: number }>({ name: 'who_is_in', text: WHO_IS_IN, values })
  const within = new Set(rows.map(({ place }) => place))
  return followings.filter((_following, place) => !within.has(place + 1))
}

const WHO_IS_IN = `
  SELECT f.place::int AS place FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS f (session_id, team_id, place)
    JOIN sessions s ON s.id = f.session_id AND ${inForce('s', '$3')}
    JOIN memberships m ON m.person_id = s.person_id AND m.team_id = f.team_id`
