import { expect, it } from 'vitest'
import { seal, sealedColumns, unseal } from '#domain/engines/sealed.ts'
import { readSecret, rotateSecret } from '#domain/integrations/secret.ts'
import { aCaller, aDestination, aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

const unreadable = { code: 'no_signing_secret', message: expect.stringContaining('cannot be decrypted') }

it('of a destination opens only in its own row and column, so a table writer cannot make one post as another', async () => {
  const world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  const { app } = world
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const one = await aDestination(world, team, 'http://127.0.0.1:9/one', ['exposure.detected'])
  const other = await aDestination(world, team, 'http://127.0.0.1:9/other', ['exposure.detected'])
  const rowOf = (id: string) => app.db.integration.findUniqueOrThrow({ where: { id } })
  const put = (id: string, data: object) => app.db.integration.update({ where: { id }, data })

  const [first, second] = [await rowOf(one), await rowOf(other)]
  expect(unseal(app, first.url_encrypted, `url ${one}`)).toBe('http://127.0.0.1:9/one')
  expect(() => unseal(app, first.url_encrypted, `url ${other}`)).toThrow('does not open')

  await put(one, { secret_encrypted: second.secret_encrypted })
  await expect(readSecret(app, caller, one)).rejects.toMatchObject(unreadable)
  await put(one, { secret_encrypted: first.url_encrypted })
  await expect(readSecret(app, caller, one)).rejects.toMatchObject(unreadable)

  const { secret } = await rotateSecret(app, caller, one)
  expect((await readSecret(app, caller, one)).secret).toBe(secret)
  await put(other, { secret_encrypted: (await rowOf(one)).secret_encrypted })
  await expect(readSecret(app, caller, other)).rejects.toMatchObject(unreadable)
})

it('of any column opens only under its own name and id', async () => {
  const { app } = await openWorld()
  for (const name of Object.keys(sealedColumns) as (keyof typeof sealedColumns)[]) {
    const sealed = seal(app, 'text', `${name} 1`)
    expect(unseal(app, sealed, `${name} 1`)).toBe('text')
    for (const otherName of Object.keys(sealedColumns) as (keyof typeof sealedColumns)[])
      for (const id of ['1', '2']) if (otherName !== name || id !== '1') expect(() => unseal(app, sealed, `${otherName} ${id}`)).toThrow()
  }
})
