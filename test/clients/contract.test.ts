import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { openRest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

const FILE = fileURLToPath(new URL('../../clients/typescript/contract.d.ts', import.meta.url))

/** Examples are for readers of the description, and would be four fifths of the types. */
const withoutExamples = (document: unknown): string =>
  JSON.stringify(document, (key, value) => (key === 'example' || key === 'examples' ? undefined : value))

it('the client covers every operation of the description: `npm run contract:print` writes their types', async () => {
  const world = await openWorld()
  const rest = await openRest(world)
  const { token } = await aToken(world, await aTeam(world))
  const { body } = await rest.call('GET', '/openapi.json', { token })
  await expect(astToString(await openapiTS(withoutExamples(body)))).toMatchFileSnapshot(FILE)
  await rest.close()
})
