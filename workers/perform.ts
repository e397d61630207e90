import type { App } from '#domain/app.ts'
import { isDropped, TRIED_AGAIN } from '#domain/kernel/durable-jobs.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/kernel/durations.ts'
import type { JobPayloads } from '#domain/kernel/outbox.ts'
import { activeSpan, runSpan } from '#domain/kernel/trace.ts'
import { type BuiltJob, jobOf } from '#workers/jobs.ts'
import type { HandleCrashed, Perform, TakenEntry } from '#workers/queue.ts'
import { rowKeys, teamStatement } from '#workers/team-of-payload.ts'

/**
 * Runs jobs by their rows of the table, and `give_up` of the row after the last failed attempt. Log lines of a job carry
 * its name, its id and the ids of its payload. Its last line also names the team.
 * @param stop aborted when the process stops
 */
export function performer(app: App, stop?: AbortSignal): Perform {
  return (entry, last) => traced(app, entry, () => perform(app, entry, last, stop))
}

/**
 * Gives up a job during which workers died, without running it. If it has no `give_up`, it is issued again like after its last failed attempt; durable
 * jobs count such starts themselves.
 */
export function crashHandler(app: App): HandleCrashed {
  return async (entry) => {
    const job = jobOf(entry.name)
    const log = logOf(app, entry)
    const ends = job.give_up !== undefined
    // Nothing is left of the process that could have measured its time.
    app.metrics.jobs.observe({ job_name: entry.name, outcome: ends ? 'given_up' : 'failed' }, 0)
    const facts = { ...(await teamOf(app, entry)), reason: 'workers died during it' }
    log.error(facts, ends ? LAST_FAILURE : FAILURE)
    await job.give_up?.({ ...app, log }, entry.payload as JobPayloads[BuiltJob])
  }
}

/** The alerts of ops/alerts.yml name these lines. */
const LAST_FAILURE = 'a job failed for the last time'
const FAILURE = 'a job failed and is tried again'

function logOf(app: App, entry: TakenEntry): App['log'] {
  return app.log.child({ job: entry.name, job_id: entry.id, trace_id: activeSpan()?.trace_id, ...idsOf(entry) })
}

async function perform(app: App, entry: TakenEntry, last: boolean, stop?: AbortSignal): Promise<void> {
  const { name } = entry
  const job = jobOf(name)
  const payload = entry.payload as JobPayloads[BuiltJob]
  const span = activeSpan()
  const log = logOf(app, entry)
  const team = teamOf(app, entry)
  void team.then(({ team_id }) => span?.note({ 'weather.team_id': team_id }))
  const startedAt = Date.now()
  if (!entry.restarted) {
    const wait_ms = Math.max(startedAt - entry.due_at.getTime(), 0)
    app.metrics.job_waits.observe({ job_name: name }, wait_ms / SECOND_MS)
    span?.note({ 'weather.wait_ms': wait_ms })
  }
  const stopTimer = app.metrics.jobs.startTimer({ job_name: name })
  try {
    const result = await job.run({ ...app, log }, payload, stop, entry.restarted)
    const isDone = result !== TRIED_AGAIN
    stopTimer({ outcome: isDone ? 'done' : 'failed' })
    // Scheduled jobs would bury the rest of the log.
    if (isDone) log[job.every ? 'debug' : 'info']({ ...(await team), ms: Date.now() - startedAt }, 'a job is done')
  } catch (fault) {
    // A job without `give_up` is issued again: by its schedule, or by the sweep as long as its row is there.
    const ends = (last && job.give_up !== undefined) || isDropped(fault)
    stopTimer({ outcome: ends ? 'given_up' : 'failed' })
    const facts = { ...(await team), err: fault, ms: Date.now() - startedAt }
    log.error(facts, ends ? LAST_FAILURE : FAILURE)
    if (ends) await job.give_up?.({ ...app, log }, payload)
    throw fault
  }
}

/** Jobs that run every few seconds would bury other traces. */
const isHousekeeping = (name: BuiltJob) => (jobOf(name).every ?? Number.POSITIVE_INFINITY) < HOUSEKEEPING_EVERY_MS
const HOUSEKEEPING_EVERY_MS = MINUTE_MS

/** Runs a job in the trace that staged it, or in a trace of its own. */
function traced({ traces }: Pick<App, 'traces'>, entry: TakenEntry, work: () => Promise<void>): Promise<void> {
  const { name, id, traceparent: parent = null } = entry
  if (!traces || (!parent && isHousekeeping(name))) return work()
  const ids = Object.fromEntries(Object.entries(idsOf(entry)).map(([key, value]) => [`weather.${key}`, String(value)]))
  return runSpan(traces.begin(`job ${name}`, 'consumer', { parent, facts: { 'weather.job': name, 'weather.job_id': id, ...ids } }), work)
}

/** The ids of a payload, which are all that the log needs. */
function idsOf({ payload }: TakenEntry): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key.endsWith('_id')))
}

/** Looks up the team of a job while the job runs. Empty if the job works for all teams, or the team is unknown. */
async function teamOf({ pool }: Pick<App, 'pool'>, entry: TakenEntry): Promise<{ team_id?: string }> {
  const ids = idsOf(entry)
  const key = rowKeys.find((name) => ids[name])
  if (!key) return {}
  const found = await pool
    .query<{ team_id: string }>({ name: `team of ${key}`, text: teamStatement(key), values: [ids[key]] })
    .catch(() => null)
  return found?.rows[0] ?? {}
}
