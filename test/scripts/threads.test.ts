import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, it } from 'vitest'
import { prepare } from '../../scripts/prepare.mjs'

it('the bundle finds every thread that it starts', async () => {
  await prepare({ bundled: ['server'] })
  const threads = [...readFileSync('dist/serve.js', 'utf8').matchAll(/resolve\("(#[^"]+-worker\.mjs)"\)/g)].map(
    ([, name]) => name as string,
  )
  expect(threads.length).toBeGreaterThan(1)
  const { resolve } = createRequire(path.resolve('dist/serve.js'))
  for (const name of threads) expect(() => resolve(name)).not.toThrow()
})
