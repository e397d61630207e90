import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { prepare } from '../../scripts/prepare.mjs'

it('bundles beside the server every thread that it starts', { timeout: 60_000 }, async () => {
  await prepare({ bundled: 'server' })
  const threads = [...readFileSync('dist/serve.js', 'utf8').matchAll(/new Worker\w*\(new URL\("(\.\/[^"]+)", import\.meta\.url\)/g)]
  expect(threads.length).toBeGreaterThan(1)
  for (const [, file] of threads) expect(existsSync(path.join('dist', file as string)), file).toBe(true)
})
