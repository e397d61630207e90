import { describe, expect, it } from 'vitest'
import { openQueue } from '#workers/queue.ts'
import { aTeam, aToken } from './factories.ts'
import { openWorld } from './world.ts'

describe('the test world', () => {
  it('is empty at each opening, and two open worlds are two separate installs', async () => {
    const first = await openWorld()
    const team = await aTeam(first)
    await aToken(first, team)
    const second = await openWorld()
    expect(await second.app.db.team.count()).toBe(0)
    await first.close()
    const third = await openWorld()
    expect(await third.app.db.team.count()).toBe(0)
  })

  it('does not run jobs that the world before left', async () => {
    const open = async () => {
      const world = await openWorld()
      return {
        world,
        queue: await openQueue({ database_direct_url: world.app.config.database_direct_url, redis_url: null }, world.app.log),
      }
    }
    const jobsIn = async ({ queue }: Awaited<ReturnType<typeof open>>) =>
      (await queue.depths()).reduce((sum, { counts }) => sum + counts.waiting + counts.active + counts.delayed, 0)
    const first = await open()
    await first.queue.add([{ name: 'report.generate', payload: { report_id: 'left' } }])
    await first.queue.add([{ name: 'report.generate', payload: { report_id: 'left until later' }, delay_ms: 60_000 }])
    expect(await jobsIn(first)).toBe(2)
    await first.queue.close()
    await first.world.close()
    const second = await open()
    expect(second.world.app.config.database_url).toBe(first.world.app.config.database_url)
    expect(await jobsIn(second)).toBe(0)
    await second.queue.close()
  })

  it('has a clock that stands still until a test moves it', async () => {
    const { clock } = await openWorld()
    clock.set('2024-05-06T12:00:00Z')
    clock.advance(1500)
    expect(clock.now().toISOString()).toBe('2024-05-06T12:00:01.500Z')
  })
})
