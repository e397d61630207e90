import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFirstTeam } from '#domain/access/first-team.ts'
import { hashToken, prefixOf, revokeToken, tokenLooksRight } from '#domain/access/tokens.ts'
import { type SecretRing, secretKey } from '#domain/kernel/secret-ring.ts'
import { openWorld } from '#test/support/world.ts'

describe('the first team', () => {
  it('stays on enterprise and keeps its token, which every process of the install can derive', async () => {
    const world = await openWorld()
    const { db } = world.app
    const first = await createFirstTeam(world.app)
    world.clock.advance(1000)
    expect(await createFirstTeam(world.app)).toEqual(first)
    expect(await db.team.findMany({ select: { plan: true } })).toEqual([{ plan: 'enterprise' }])
    expect(await db.token.findMany({ select: { hash: true, revoked_at: true } })).toEqual([
      { hash: hashToken(first.token), revoked_at: null },
    ])
    // The database stores neither the token nor everything needed to derive it.
    const { value } = await db.installFact.findUniqueOrThrow({ where: { name: 'first_team' } })
    expect(JSON.stringify(value)).not.toContain(first.token)
    expect(first.token).toMatch(/^wt_[0-9A-Za-z]{36}$/)
    expect(tokenLooksRight(first.token)).toBe(true)
  })

  it('gets another token at a start that draws one, and the one before is refused from then on', async () => {
    const world = await openWorld()
    const { db } = world.app
    const first = await createFirstTeam(world.app)
    const second = await createFirstTeam(world.app, { fresh_token: true })
    expect(second.team_id).toBe(first.team_id)
    expect(second.token).not.toBe(first.token)
    expect(await db.token.findMany({ where: { revoked_at: null }, select: { hash: true } })).toEqual([{ hash: hashToken(second.token) }])
    expect(await createFirstTeam(world.app)).toEqual(second)
  })

  it('gets another token if its token was revoked, predates this version, or was made under another key', async () => {
    const world = await openWorld()
    const { db } = world.app
    const isRevoked = async (token: string) => (await db.token.findUniqueOrThrow({ where: { hash: hashToken(token) } })).revoked_at === null
    const first = await createFirstTeam(world.app)
    await revokeToken(db, prefixOf(first.token))
    const second = await createFirstTeam(world.app)
    const value = { team_id: second.team_id, prefix: prefixOf(second.token) }
    await db.installFact.update({ where: { name: 'first_team' }, data: { value } })
    const third = await createFirstTeam(world.app)
    const other = { ...world.app, config: { ...world.app.config, secret_keys: [secretKey(null, randomBytes(32))] as SecretRing } }
    const fourth = await createFirstTeam(other)
    const all = [first, second, third, fourth]
    expect(new Set(all.map(({ token }) => token)).size).toBe(4)
    expect(new Set(all.map(({ team_id }) => team_id)).size).toBe(1)
    expect(await Promise.all(all.map(({ token }) => isRevoked(token)))).toEqual([false, false, false, true])
    // A key that moved behind a new one still derives the token.
    const turned = {
      ...other,
      config: { ...other.config, secret_keys: [secretKey('new', randomBytes(32)), ...other.config.secret_keys] as SecretRing },
    }
    expect(await createFirstTeam(turned)).toEqual(fourth)
  })
})
