import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { prepare } from '../../scripts/prepare.mjs'

it('keeps unchanged files of an earlier bundle in place, and leaves nothing else', async () => {
  await prepare({ bundled: ['terminal'] })
  const files = () => ['dist/cli.js', ...readdirSync('dist/cli').map((name) => `dist/cli/${name}`)].sort()
  const before = files()
  expect(before.length).toBeGreaterThan(2)
  writeFileSync('dist/cli/of-before-ABCD1234.js', '')
  const missed = new Set<string>()
  const looking = setInterval(() => {
    for (const file of before) if (!existsSync(file)) missed.add(file)
  }, 1)
  const [code] = await once(spawn(process.execPath, ['scripts/build/bundle.mjs', 'terminal'], { stdio: 'inherit' }), 'exit')
  clearInterval(looking)
  expect([code, [...missed], files()]).toEqual([0, [], before])
})
