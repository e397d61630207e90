import type { BuiltJob } from '#workers/jobs.ts'

/** A job to be handed over, and the team that it works for; null where it works for all. */
interface Owned {
  name: BuiltJob
  team_id: string | null
}

/** The greatest priority that BullMQ takes; jobs beyond it are done in the order in which they came. */
const TURN_MAX = 2 ** 21 - 1

/**
 * Turns of teams at each kind of job: start-time fair queueing (Goyal, Vin and Cheng 1996) with jobs of equal weight. A team's next job has
 * the turn after its last, and never one before the job that is done next: ten thousand of one team lie behind each other, and
 * the first of another comes after one of them. Each process keeps its own: where several hand over, a team has as many jobs in a turn.
 */
export class Turns {
  /** The last turn that a team was given, by job and team. */
  readonly #last = new Map<BuiltJob, Map<string, number>>()
  /** The turn of the job that is done next, as last heard. */
  readonly #next = new Map<BuiltJob, number>()

  /** The turn of this job, from 1; 0, before all others, where it works for no team of its own. */
  take({ name, team_id }: Owned): number {
    if (team_id === null) return 0
    const teams = this.#last.get(name) ?? new Map<string, number>()
    this.#last.set(name, teams)
    const turn = Math.min(Math.max(teams.get(team_id) ?? 0, this.#next.get(name) ?? 0) + 1, TURN_MAX)
    teams.set(team_id, turn)
    return turn
  }

  /** Jobs of which turns were given since nothing waited. */
  counted(): BuiltJob[] {
    return [...this.#last.keys()]
  }

  /** Hears which turn is next at a job; null where none waits, and all teams begin anew. */
  heard(name: BuiltJob, next: number | null): void {
    if (next === null) {
      this.#last.delete(name)
      this.#next.delete(name)
    } else this.#next.set(name, next)
  }
}
