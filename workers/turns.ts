import type { BuiltJob } from '#workers/jobs.ts'

/** A job to add to the queue, and its team; null if it works for all teams. */
interface Owned {
  name: BuiltJob
  team_id: string | null
}

/** BullMQ's largest priority. Jobs beyond it run in order of arrival. */
const TURN_MAX = 2 ** 21 - 1

/** The turns that one process gives. */
export interface Turns {
  /** Returns the turn of this job, from 1; 0, before all others, if it has no team. */
  take(job: Owned): number
  /** Jobs with turns given since their queue was last empty. */
  counted(): BuiltJob[]
  /** Records the next turn of a job; null if none waits, which resets all teams. */
  recordNext(name: BuiltJob, next: number | null): void
}

/**
 * Turns of teams for each kind of job: start-time fair queueing (Goyal, Vin and Cheng 1996) with jobs of equal weight. A team's next job has
 * the turn after its last, and never a turn before the next job to run. Ten thousand jobs of one team thus queue one after another, and
 * the first job of another team comes after one of them. Each process keeps its own turns: with several relays, a team has that many jobs in a turn.
 */
export function openTurns(): Turns {
  /** The last turn given, by job and team. */
  const lastByTeam = new Map<BuiltJob, Map<string, number>>()
  /** The turn of the next job to run, as last reported. */
  const nextTurns = new Map<BuiltJob, number>()
  return {
    take({ name, team_id }) {
      if (team_id === null) return 0
      const teams = lastByTeam.get(name) ?? new Map<string, number>()
      lastByTeam.set(name, teams)
      const turn = Math.min(Math.max(teams.get(team_id) ?? 0, nextTurns.get(name) ?? 0) + 1, TURN_MAX)
      teams.set(team_id, turn)
      return turn
    },
    counted: () => [...lastByTeam.keys()],
    recordNext(name, next) {
      if (next === null) {
        lastByTeam.delete(name)
        nextTurns.delete(name)
      } else nextTurns.set(name, next)
    },
  }
}
