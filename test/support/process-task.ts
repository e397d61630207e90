import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LaneName } from '#domain/closed-sets.ts'
import type { DetectionTask } from '#domain/kernel/outbox.ts'
import type { World } from './world.ts'

/**
 * A piece of the service's work at a moment, ISO 8601: one detection, one pass of a lane, or a file and everything
 * that follows from it.
 */
export type ProcessTask = { now: string } & ({ detect: DetectionTask } | { lane: LaneName; feeds: string } | { file: string })

/** Runs the errand on a world's database in a process of its own, for a test that kills it. */
export function spawnTask(world: World, task: ProcessTask): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', path.resolve(import.meta.dirname, 'run-process-task.ts')], {
    env: { ...process.env, DATABASE_URL: world.app.config.database_direct_url, PROCESS_TASK: JSON.stringify(task) },
    stdio: 'inherit',
  })
}

/** Kills a process (SIGKILL) once a condition is true. Returns whether it was killed before it exited by itself. */
export async function killOnce(child: ChildProcess, came: () => Promise<boolean> | boolean): Promise<boolean> {
  const exit = once(child, 'exit')
  while (!(await came()) && child.exitCode === null) await pause(5)
  const early = child.exitCode === null
  child.kill('SIGKILL')
  await exit
  return early
}
