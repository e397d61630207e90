import { describe, expect, it } from 'vitest'
import { seatFirstTeam } from '#domain/access/first-team.ts'
import { hashToken } from '#domain/access/tokens.ts'
import { openWorld } from '#test/support/world.ts'

describe('the first team', () => {
  it('keeps its seat on enterprise, and gets a fresh token at each start', async () => {
    const world = await openWorld()
    const { db } = world.app
    const first = await seatFirstTeam(world.app)
    world.clock.advance(1000)
    const second = await seatFirstTeam(world.app)
    expect(second.team_id).toBe(first.team_id)
    expect(await db.team.findMany({ select: { plan: true } })).toEqual([{ plan: 'enterprise' }])
    const standing = async (token: string) => (await db.token.findUniqueOrThrow({ where: { hash: hashToken(token) } })).revoked_at === null
    expect([await standing(first.token), await standing(second.token)]).toEqual([false, true])
  })
})
