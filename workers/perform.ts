import type { App } from '#domain/app.ts'
import type { JobPayloads } from '#domain/kernel/outbox.ts'
import { type BuiltJob, jobOf } from '#workers/jobs.ts'
import { ownerKeys, teamStatement } from '#workers/owners.ts'
import type { Perform, TakenEntry } from '#workers/queue.ts'

const MS_PER_SECOND = 1000

/**
 * Runs jobs by their rows of the table; after the last try, what the row says of a job that cannot be done. All that
 * is logged meanwhile carries the job's name, its id and what it is about; the line at its end names the team, too.
 */
export function performer(app: App): Perform {
  return async (entry, last) => {
    const { name } = entry
    const job = jobOf(name)
    const payload = entry.payload as JobPayloads[BuiltJob]
    const log = app.log.child({ job: name, job_id: entry.id, ...idsOf(entry) })
    const team = teamOf(app, entry)
    const began = Date.now()
    app.metrics.job_waits.observe({ job_name: name }, Math.max(began - entry.due_at.getTime(), 0) / MS_PER_SECOND)
    const took = app.metrics.jobs.startTimer({ job_name: name })
    try {
      await job.run({ ...app, log }, payload)
      took({ outcome: 'done' })
      // What runs by itself every few seconds would bury the rest.
      log[job.every ? 'debug' : 'info']({ ...(await team), ms: Date.now() - began }, 'a job is done')
    } catch (fault) {
      took({ outcome: last ? 'given_up' : 'failed' })
      const facts = { ...(await team), err: fault, ms: Date.now() - began }
      log.error(facts, last ? 'a job failed for the last time' : 'a job failed and is tried again')
      if (last) await job.give_up?.({ ...app, log }, payload)
      throw fault
    }
  }
}

/** The ids of a payload: all that a log needs to know of it. */
function idsOf({ payload }: TakenEntry): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key.endsWith('_id')))
}

/** The team that a job works for, looked up beside its work; nothing where it works for all, or is not known. */
async function teamOf({ pool }: Pick<App, 'pool'>, entry: TakenEntry): Promise<{ team_id?: string }> {
  const ids = idsOf(entry)
  const key = ownerKeys.find((name) => ids[name])
  if (!key) return {}
  const found = await pool
    .query<{ team_id: string }>({ name: `team of ${key}`, text: teamStatement(key), values: [ids[key]] })
    .catch(() => null)
  return found?.rows[0] ?? {}
}
