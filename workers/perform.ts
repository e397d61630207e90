import type { App } from '#domain/app.ts'
import type { JobPayloads } from '#domain/kernel/outbox.ts'
import { activeSpan, runSpan } from '#domain/kernel/trace.ts'
import { type BuiltJob, jobOf } from '#workers/jobs.ts'
import type { Perform, TakenEntry } from '#workers/queue.ts'
import { rowKeys, teamStatement } from '#workers/team-of-payload.ts'

const MS_PER_SECOND = 1000

/**
 * Runs jobs by their rows of the table; after the last try, what the row says of a job that cannot be done. All that
 * is logged meanwhile carries the job's name, its id and what it is about; the line at its end names the team, too.
 */
export function performer(app: App): Perform {
  return (entry, last) => traced(app, entry, () => perform(app, entry, last))
}

async function perform(app: App, entry: TakenEntry, last: boolean): Promise<void> {
  const { name } = entry
  const job = jobOf(name)
  const payload = entry.payload as JobPayloads[BuiltJob]
  const span = activeSpan()
  const log = app.log.child({ job: name, job_id: entry.id, trace_id: span?.trace_id, ...idsOf(entry) })
  const team = teamOf(app, entry)
  void team.then(({ team_id }) => span?.note({ 'weather.team_id': team_id }))
  const began = Date.now()
  const wait_ms = Math.max(began - entry.due_at.getTime(), 0)
  app.metrics.job_waits.observe({ job_name: name }, wait_ms / MS_PER_SECOND)
  span?.note({ 'weather.wait_ms': wait_ms })
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

/** What runs by itself every few seconds would bury the rest. */
const isHousekeeping = (name: BuiltJob) => (jobOf(name).every ?? Number.POSITIVE_INFINITY) < HOUSEKEEPING_EVERY_MS
const HOUSEKEEPING_EVERY_MS = 60_000

/** Does a job as a part of the trace that asked for it, or of one of its own. */
function traced({ traces }: Pick<App, 'traces'>, entry: TakenEntry, work: () => Promise<void>): Promise<void> {
  const { name, id, traceparent: parent = null } = entry
  if (!traces || (!parent && isHousekeeping(name))) return work()
  const ids = Object.fromEntries(Object.entries(idsOf(entry)).map(([key, value]) => [`weather.${key}`, String(value)]))
  return runSpan(traces.begin(`job ${name}`, 'consumer', { parent, facts: { 'weather.job': name, 'weather.job_id': id, ...ids } }), work)
}

/** The ids of a payload: all that a log needs to know of it. */
function idsOf({ payload }: TakenEntry): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key.endsWith('_id')))
}

/** The team that a job works for, looked up beside its work; nothing where it works for all, or is not known. */
async function teamOf({ pool }: Pick<App, 'pool'>, entry: TakenEntry): Promise<{ team_id?: string }> {
  const ids = idsOf(entry)
  const key = rowKeys.find((name) => ids[name])
  if (!key) return {}
  const found = await pool
    .query<{ team_id: string }>({ name: `team of ${key}`, text: teamStatement(key), values: [ids[key]] })
    .catch(() => null)
  return found?.rows[0] ?? {}
}
