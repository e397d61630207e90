import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeLock, underLock } from '../../scripts/lock.mjs'

describe('a lock file', () => {
  let file: string
  beforeEach(async () => {
    file = path.join(await mkdtemp(path.join(tmpdir(), 'weather-lock-')), 'state/lock')
  })

  it('names its holder to the next process that tries, and is removed on release', () => {
    const first = takeLock(file)
    expect(takeLock(file)).toEqual({ holder: process.pid })
    if ('release' in first) first.release()
    expect(existsSync(file)).toBe(false)
    expect(takeLock(file)).toHaveProperty('release')
  })

  const holding = () =>
    `import { takeLock } from '${path.resolve('scripts/lock.mjs')}'; takeLock('${file}'); console.log(process.pid); setInterval(() => {}, 1000)`

  it('does not outlive a holder that was killed', async () => {
    const holder = spawn(process.execPath, ['--input-type=module', '-e', holding()], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(holder.stdout, 'data')
    expect(takeLock(file)).toEqual({ holder: holder.pid })
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(takeLock(file)).toHaveProperty('release')
  })

  it.runIf(process.platform === 'linux')('is not held by a killed process that its parent has not reaped', async () => {
    // sleep replaces the shell, and reaps no child.
    const parent = spawn('sh', ['-c', '"$0" --input-type=module -e "$1" & exec sleep 60', process.execPath, holding()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [printed] = await once(parent.stdout, 'data')
      const holder = Number(printed)
      expect(takeLock(file)).toEqual({ holder })
      process.kill(holder, 'SIGKILL')
      await vi.waitFor(() => expect(readFileSync(`/proc/${holder}/stat`, 'utf8')).toMatch(/^\d+ \(.*\) Z /))
      expect(takeLock(file)).toHaveProperty('release')
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('is not held by another process that got the same id', async () => {
    takeLock(file)
    await writeFile(file, JSON.stringify({ pid: process.pid, began: 'long ago' }))
    expect(takeLock(file)).toHaveProperty('release')
  })

  it('lets processes through one at a time', async () => {
    let within = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++within)
      await new Promise(setImmediate)
      within--
    }
    await Promise.all([1, 2, 3].map(() => underLock(file, work)))
    expect(most).toBe(1)
  })
})
