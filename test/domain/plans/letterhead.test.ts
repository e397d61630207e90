import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictureSize } from '#domain/engines/picture-size.ts'
import { setLetterhead } from '#domain/plans/letterhead.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

test('sets and removes paper, name and logo one by one', async () => {
  const { id } = await aTeam(world)
  expect(await setLetterhead(world.app, id, { paper: 'a4' })).toMatchObject({ paper: 'a4', brand_name: null, brand_logo: null })
  const marked = await setLetterhead(world.app, id, { brand_name: ' Roof works ', brand_logo: png })
  expect(marked).toMatchObject({ paper: 'a4', brand_name: 'Roof works' })
  // Redrawn: the same size, with none of its original bytes.
  expect(pictureSize(Buffer.from(marked.brand_logo as Uint8Array))).toEqual({ format: 'png', width: 1, height: 1 })
  expect(await setLetterhead(world.app, id, { brand_name: null, brand_logo: null })).toMatchObject({
    paper: 'a4',
    brand_name: null,
    brand_logo: null,
  })
})

test('refuses what cannot be printed by name, and changes nothing', async () => {
  const { id } = await aTeam(world)
  const field = (name: string) => ({ code: 'validation_failed', details: { errors: { [name]: [expect.any(String)] } } })
  await expect(setLetterhead(world.app, id, { paper: 'a5' as 'a4' })).rejects.toMatchObject(field('paper'))
  await expect(setLetterhead(world.app, id, { brand_name: ' ' })).rejects.toMatchObject(field('brand_name'))
  await expect(setLetterhead(world.app, id, { brand_logo: Buffer.from('<svg/>') })).rejects.toMatchObject(field('brand_logo'))
  const large = Buffer.concat([png, Buffer.alloc(200 * 1024)])
  await expect(setLetterhead(world.app, id, { paper: 'a4', brand_logo: large })).rejects.toMatchObject(field('brand_logo'))
  expect(await world.app.db.team.findUniqueOrThrow({ where: { id } })).toMatchObject({ paper: 'letter', brand_logo: null })
  await expect(setLetterhead(world.app, randomUUID(), { paper: 'a4' })).rejects.toMatchObject({ code: 'not_found' })
})
