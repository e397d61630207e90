import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { installHolder } from '#domain/access/idempotency.ts'
import { grantToken, TOKENS_MAX, withdrawToken } from '#domain/access/team-tokens.ts'
import { generateToken, hashToken, issueToken, revokeToken, tokenLooksRight } from '#domain/access/tokens.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})

const wanted = (team_id: string) => ({ team_id, name: 'Office', abilities: ['reports:read' as const], expires_at: null })

test('a token is wt_, 30 base-62 characters and a 6-character checksum', () => {
  const token = generateToken()
  expect(token).toMatch(/^wt_[0-9A-Za-z]{36}$/)
  expect(tokenLooksRight(token)).toBe(true)
})

test('the checksum detects one wrong character anywhere', () => {
  const token = generateToken()
  for (let place = 3; place < token.length; place++) {
    const other = token[place] === 'a' ? 'b' : 'a'
    expect(tokenLooksRight(token.slice(0, place) + other + token.slice(place + 1))).toBe(false)
  }
  for (const wrong of ['', 'wt_', token.slice(0, -1), `${token}a`, `wo_${token.slice(3)}`, token.replace(/.$/, '-')])
    expect(tokenLooksRight(wrong)).toBe(false)
})

test('stores only the SHA-256 of a token', async () => {
  const team = await aTeam(world)
  const issued = await issueToken(world.app.db, wanted(team.id))
  expect(issued).toMatchObject({
    team_id: team.id,
    name: 'Office',
    abilities: ['reports:read'],
    expires_at: null,
    prefix: issued.token.slice(0, 9),
  })
  const kept = await world.app.db.token.findUniqueOrThrow({ where: { prefix: issued.prefix } })
  expect(kept.hash).toBe(createHash('sha256').update(issued.token).digest('hex'))
  expect(JSON.stringify(kept)).not.toContain(issued.token)
})

test('draws again if a prefix is taken, also inside a transaction', async () => {
  const team = await aTeam(world)
  const first = await issueToken(world.app.db, wanted(team.id))
  const draws = [first.token, first.token, generateToken()]
  const second = await world.app.db.$transaction((tx) => issueToken(tx, wanted(team.id), () => draws.shift() as string))
  expect(second.prefix).not.toBe(first.prefix)
  expect(draws).toEqual([])
  await expect(issueToken(world.app.db, wanted(team.id), () => first.token)).rejects.toThrow('5 generated tokens in a row')
})

test('a token can be revoked once', async () => {
  const team = await aTeam(world)
  const { prefix, token } = await issueToken(world.app.db, wanted(team.id))
  expect(await revokeToken(world.app.db, prefix)).toBe(true)
  const revoked = await world.app.db.token.findUniqueOrThrow({ where: { hash: hashToken(token) } })
  expect(revoked.revoked_at).toBeInstanceOf(Date)
  expect(await revokeToken(world.app.db, prefix)).toBe(false)
  expect(await revokeToken(world.app.db, 'wt_nobody')).toBe(false)
})

test('a team has at most 200 valid tokens, whoever asks at the same time', async () => {
  const team = await aTeam(world)
  const expired = { expires_at: new Date(world.clock.now().getTime() - 1) }
  const { prefix } = await issueToken(world.app.db, wanted(team.id))
  await issueToken(world.app.db, { ...wanted(team.id), ...expired })
  const rows = Array.from({ length: TOKENS_MAX - 3 }, () => ({ ...wanted(team.id), hash: hashToken(generateToken()) }))
  await world.app.db.token.createMany({ data: rows.map((row, n) => ({ ...row, prefix: `wt_c${String(n).padStart(5, '0')}` })) })
  const grant = () => grantToken(world.app, installHolder(world.app.db), wanted(team.id), null)
  const outcomes = await Promise.allSettled([grant(), grant(), grant(), grant()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const refused = {
    code: 'validation_failed',
    details: { errors: { name: [`A team has at most ${TOKENS_MAX} valid tokens. Revoke one first.`] } },
  }
  await expect(grant()).rejects.toMatchObject(refused)
  await withdrawToken(world.app.db, prefix)
  expect(await grant()).toMatchObject({ team_id: team.id })
})

test('a refusal names each unknown ability once, and only the first of many', async () => {
  const { id } = await aTeam(world)
  const abilities = Array.from({ length: 5_000 }, (_, index) => `unknown:${index % 2_500}`)
  const refused = await grantToken(world.app, installHolder(world.app.db), { ...wanted(id), abilities }, null).catch((fault) => fault)
  expect(refused.details.errors.abilities).toEqual(Array.from({ length: 10 }, (_, index) => `There is no ability called unknown:${index}.`))
})

test('a refusal quotes the start of an unknown ability, without control characters', async () => {
  const { id } = await aTeam(world)
  const grant = grantToken(world.app, installHolder(world.app.db), { ...wanted(id), abilities: [`reports:\u0007${'x'.repeat(100)}`] }, null)
  await expect(grant).rejects.toMatchObject({
    details: { errors: { abilities: [`There is no ability called reports:${'x'.repeat(32)}.`] } },
  })
})
