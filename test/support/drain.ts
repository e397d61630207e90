import type { App } from '#domain/app.ts'
import type { JobPayloads } from '#domain/kernel/outbox.ts'
import { type BuiltJob, builtJobs, jobOf } from '#workers/jobs.ts'

/** Runs every staged job that is due, and the jobs that these stage, until none is left. It replaces the workers without a queue. */
export async function drain(app: App): Promise<void> {
  for (;;) {
    const [job] = await app.db.$queryRaw<{ name: BuiltJob; payload: JobPayloads[BuiltJob] }[]>`
      DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox WHERE name = ANY(${builtJobs}) AND (due_at IS NULL OR due_at <= ${app.clock.now()})) RETURNING name, payload`
    if (!job) return
    await jobOf(job.name).run(app, job.payload)
  }
}
