import { onTestFinished } from 'vitest'
import { startWorkers, type Workers } from '#workers/main.ts'

/** Starts workers for one test. They also stop if it fails: they would take the jobs of the tests after it, which use the same database. */
export async function startTestWorkers(...args: Parameters<typeof startWorkers>): Promise<Workers> {
  const workers = await startWorkers(...args)
  let stopped: Promise<boolean> | undefined
  const stop = () => (stopped ??= workers.stop())
  onTestFinished(async () => void (await stop()))
  return { stop }
}
