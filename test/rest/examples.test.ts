import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makeExamples } from './example-journey.ts'

const FILE = fileURLToPath(new URL('../../rest/examples.json', import.meta.url))

it('the examples of the description match the service’s responses: `npm run examples:print` writes them', async () => {
  await expect(`${JSON.stringify(await makeExamples(), null, 2)}\n`).toMatchFileSnapshot(FILE)
}, 300_000)
