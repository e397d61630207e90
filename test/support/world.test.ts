import { describe, expect, it } from 'vitest'
import { aTeam, aToken } from './factories.ts'
import { openWorld } from './world.ts'

describe('the test world', () => {
  it('is empty at each opening, and two at once are two installs', async () => {
    const first = await openWorld()
    const team = await aTeam(first)
    await aToken(first, team)
    const second = await openWorld()
    expect(await second.app.db.team.count()).toBe(0)
    await first.close()
    const third = await openWorld()
    expect(await third.app.db.team.count()).toBe(0)
  })

  it('has a clock that stands until it is moved', async () => {
    const { clock } = await openWorld()
    clock.set('2024-05-06T12:00:00Z')
    clock.advance(1500)
    expect(clock.now().toISOString()).toBe('2024-05-06T12:00:01.500Z')
  })
})
