import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import puppeteer from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '#domain/engines/browser.ts'
import { browserSettings } from '#test/support/browser.ts'
import { waitUntil } from '#test/support/wait-until.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'browser-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('states what to do if the browser cannot start', async () => {
  const lacking = path.join(folder, 'lacking')
  await writeFile(
    lacking,
    '#!/bin/sh\necho "chromium: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2\nexit 127\n',
  )
  await chmod(lacking, 0o755)
  await expect(openBrowser(browserSettings({ browser_path: lacking, home: folder }))).rejects.toThrow(
    /^The browser needs libnss3\.so, which this machine lacks\. Install Chromium .* PUPPETEER_EXECUTABLE_PATH/,
  )
  await expect(openBrowser(browserSettings({ browser_path: path.join(folder, 'none'), home: folder }))).rejects.toThrow('Install Chromium')
})

it('starts Chromium in a process that last started Firefox', async () => {
  await expect(puppeteer.launch({ browser: 'firefox', executablePath: path.join(folder, 'none') })).rejects.toThrow()
  const chromium = await openBrowser(browserSettings({ home: folder }))
  await chromium.close()
})

it('kills a browser that hangs when the process exits', async () => {
  const others = process.listeners('exit')
  const chromium = await openBrowser(browserSettings({ home: folder }))
  const { pid } = chromium
  if (pid === null) throw new Error('the browser has no process')
  const [atExit] = process.listeners('exit').filter((listener) => !others.includes(listener))
  process.kill(-pid, 'SIGSTOP')
  atExit?.(0)
  await waitUntil(async () => !isRunning(pid))
  await waitUntil(async () => process.listeners('exit').length === others.length)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
