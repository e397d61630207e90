import type { App } from '#domain/app.ts'
import { spansOf } from '#domain/archive/warnings/spans.ts'
import { readStoredWarnings } from '#domain/archive/warnings/stored-warnings.ts'
import { stageDurableAt } from '#domain/kernel/durable-jobs.ts'
import type { DetectionTask } from '#domain/kernel/outbox.ts'

/** A detection of warnings. */
export type WarningTask = DetectionTask & { warnings: string[] }

/**
 * Stages the detection of each warning again for the next moment at which one of its areas comes into force. Many warnings are
 * issued hours before they begin, no message arrives when they do, and only a warning in force is announced.
 */
export async function stageAtBegin({ pool, clock }: Pick<App, 'pool' | 'clock'>, task: WarningTask): Promise<void> {
  const now = clock.now().getTime()
  const warnings = await readStoredWarnings(pool, task.warnings)
  const jobs = warnings.flatMap(({ source_key, messages }) => {
    const begins = spansOf(messages).map(({ from }) => from.getTime())
    const next = Math.min(...begins.filter((begin) => begin > now))
    return Number.isFinite(next) ? [{ task: { ...task, warnings: [source_key] }, due_at: new Date(next) }] : []
  })
  await stageDurableAt(pool, 'detection.run', jobs)
}
