import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { openRest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

const FILE = fileURLToPath(new URL('../../cli/contract.d.ts', import.meta.url))

it('the terminal knows the objects of the description: `npm run contract:print` writes their types', async () => {
  const world = await openWorld()
  const rest = await openRest(world)
  const { token } = await aToken(world, await aTeam(world))
  const { body } = await rest.call('GET', '/openapi.json', { token })
  const { openapi, info, components } = body
  const objects = { openapi, info, paths: {}, components: { schemas: components.schemas } }
  await expect(astToString(await openapiTS(objects))).toMatchFileSnapshot(FILE)
  await rest.close()
}, 60_000)
