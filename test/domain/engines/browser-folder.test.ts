import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Runs as root of a user namespace that has no other user. */
const ALONE = ['--user', '--map-root-user']
const namespaces = process.platform === 'linux' && spawnSync('unshare', [...ALONE, 'true']).status === 0

it.skipIf(!namespaces)('names a user that the container does not have, states what to do, and leaves no folder', async () => {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'weather-test-'))
  const script = `import { makeBrowserFolder } from '#domain/engines/browser-folder.ts'
    await makeBrowserFolder(65533).catch((fault) => console.log(fault.message))`
  const command = [process.execPath, '--import', 'tsx', '--input-type=module', '--eval', script]
  const { stdout } = spawnSync('unshare', [...ALONE, ...command], { encoding: 'utf8', env: { ...process.env, TMPDIR: temporary } })
  expect(stdout.trim()).toBe(
    "the user 65533 does not exist in this container's user namespace: map it, or name one that does in BROWSER_UID",
  )
  expect((await readdir(temporary)).filter((name) => name.startsWith('weather-browser-'))).toEqual([])
  await rm(temporary, { recursive: true })
})
