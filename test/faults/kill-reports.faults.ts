import type { ChildProcess } from 'node:child_process'
import { expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openProcesses } from '#test/support/processes.ts'
import { openWorld } from '#test/support/world.ts'

const REPORTS = 120
const KILLS = 8
/** From the last fault until everything is done: a lost job is issued again after 60 s, found within a further 15. */
const SETTLED_WITHIN_MS = 150_000

it(`${REPORTS} reports, each asked for until it is answered, while API and workers are killed: one report and one charge a key`, {
  timeout: 300_000,
}, async () => {
  const world = await openWorld()
  await seedSample(world.app)
  const team = await aTeam(world, { credits: REPORTS })
  const { token } = await aToken(world, team)
  const processes = await openProcesses(world.app.config.database_url)
  try {
    let api = processes.start('api')
    const workers = [processes.start('worker'), processes.start('worker')]
    await processes.ready()

    const asking = askForAll(processes.base_url, token)
    for (let turn = 0; turn < KILLS; turn++) {
      await new Promise((later) => setTimeout(later, 1200))
      if (turn % 2 === 0) {
        await processes.kill(workers[0] as ChildProcess)
        workers.shift()
        workers.push(processes.start('worker'))
      } else {
        await processes.kill(api)
        api = processes.start('api')
        await processes.ready()
      }
    }
    const ids = await asking
    expect(new Set(ids).size).toBe(REPORTS)

    const until = Date.now() + SETTLED_WITHIN_MS
    const pending = async () =>
      (await processes.query<{ n: number }>("SELECT count(*)::int AS n FROM reports WHERE status = 'pending'"))[0]?.n as number
    while ((await pending()) > 0 && Date.now() < until) await new Promise((later) => setTimeout(later, 500))
    const [counts] = await processes.query(
      "SELECT count(*)::int AS reports, count(*) FILTER (WHERE status = 'complete')::int AS complete, count(*) FILTER (WHERE failure_reason = 'internal_error')::int AS internal FROM reports",
    )
    expect(counts).toEqual({ reports: REPORTS, complete: REPORTS, internal: 0 })
    expect(await processes.query('SELECT * FROM invariant_violations')).toEqual([])
    expect(await processes.query('SELECT balance FROM teams WHERE id = $1', [team.id])).toEqual([{ balance: 0 }])
  } finally {
    await processes.close()
  }
})

/** Each report under a key of its own, asked for again until an answer comes: what a careful client does. */
async function askForAll(base_url: string, token: string): Promise<string[]> {
  const { address, window_start, window_end } = sampleStorm
  const body = JSON.stringify({ address, window_start, window_end })
  const ask = async (key: string): Promise<string> => {
    for (let attempt = 0; attempt < 400; attempt++) {
      const answer = await fetch(`${base_url}/api/v1/reports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body,
      }).catch(() => null)
      if (answer && (answer.status === 202 || answer.status === 200)) return ((await answer.json()) as { data: { id: string } }).data.id
      await new Promise((later) => setTimeout(later, 100))
    }
    throw new Error('no answer came')
  }
  const ids: string[] = []
  for (let from = 0; from < REPORTS; from += 6) {
    ids.push(...(await Promise.all(Array.from({ length: 6 }, (_, index) => ask(`report-${from + index}`)))))
    await new Promise((later) => setTimeout(later, 300))
  }
  return ids
}
