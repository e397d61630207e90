import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aDestination, aTeam, aToken } from '#test/support/factories.ts'
import { openProcesses, type Processes, SECRET_KEYS } from '#test/support/processes.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { NETWORKS } from '#test/support/shape.ts'
import { openWorld } from '#test/support/world.ts'

const REPORTS = 120
/** One kill in the middle of each part of the reports: workers and the API in turn. */
const KILLS = 8
const AT_ONCE = 6
/** A restarted process responds within half a minute on a busy machine. */
const WORKING_WITHIN_MS = 60_000
/** From the last fault until everything is done: a lost job is issued again after 60 s, and found within another 15 s. */
const SETTLED_WITHIN_MS = 150_000

it(`${REPORTS} reports, each requested until there is a response, while API processes and workers are killed: one report and one charge for each key`, {
  timeout: 420_000,
}, async () => {
  const world = await openWorld({ config: { webhook_allowed_networks: [NETWORKS], secret_keys: SECRET_KEYS } })
  await seedSample(world.app)
  const team = await aTeam(world, { credits: REPORTS })
  const { token } = await aToken(world, team)
  const receiver = await openReceiver()
  await aDestination(world, team, receiver.url, ['report.completed'])
  const processes = await openProcesses(world.app.config.database_url, { WEBHOOK_ALLOWED_NETWORKS: NETWORKS })
  try {
    let api = processes.start('api')
    const workers = [processes.start('worker'), processes.start('worker')]
    await processes.ready()

    const client = carefulClient([processes.base_url], token)
    const ids: string[] = []
    for (let turn = 0; turn < KILLS; turn++) {
      const requests = client.ask(REPORTS / KILLS, AT_ONCE)
      await working(processes, ids.length)
      if (turn % 2 === 0) {
        await processes.kill(workers.shift() as ChildProcess)
        workers.push(processes.start('worker'))
      } else {
        await processes.kill(api)
        api = processes.start('api')
        await processes.ready()
      }
      ids.push(...(await requests))
    }
    expect(new Set(ids).size).toBe(REPORTS)

    await waitForIdle(processes, SETTLED_WITHIN_MS, ['pending', 'undelivered'])
    const [counts] = await processes.query(
      "SELECT count(*)::int AS reports, count(*) FILTER (WHERE status = 'complete')::int AS complete, count(*) FILTER (WHERE failure_reason = 'internal_error')::int AS internal FROM reports",
    )
    expect(counts).toEqual({ reports: REPORTS, complete: REPORTS, internal: 0 })
    await expectConsistent(processes)
    expect(await processes.query("SELECT count(*)::int AS n FROM deliveries WHERE event = 'report.completed'")).toEqual([{ n: REPORTS }])
    expect(await processes.query('SELECT balance FROM teams WHERE id = $1', [team.id])).toEqual([{ balance: 0 }])
  } finally {
    await processes.close()
    await receiver.close()
  }
})

/** How many of the reports are pending, not counting those requested first. */
async function pending(processes: Processes, before: number): Promise<number> {
  const [counted] = await processes.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM (SELECT status FROM reports ORDER BY created_at OFFSET $1) asked WHERE status = 'pending'",
    [before],
  )
  return counted?.n as number
}

/** Resolves once some of a turn's reports are pending, so that a process is killed in the middle of work, however fast the machine is. */
async function working(processes: Processes, before: number): Promise<void> {
  for (const ends = Date.now() + WORKING_WITHIN_MS; Date.now() < ends; await pause(5)) if ((await pending(processes, before)) > 0) return
  throw new Error('no report was ever pending')
}
