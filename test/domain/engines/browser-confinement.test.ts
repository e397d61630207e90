import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserProgram, type OpenBrowser, openBrowser } from '#domain/engines/browser.ts'
import { allowedModes } from '#domain/engines/browser-confinement.ts'
import { settingNames } from '#domain/kernel/settings.ts'
import { browserSettings } from '#test/support/browser.ts'

/** Settings of a service that no other process may see. */
const SECRETS = {
  ...Object.fromEntries(settingNames.map((name) => [name, `secret-of-${name}`])),
  AWS_SECRET_ACCESS_KEY: 'secret-of-aws',
  PGPASSWORD: 'secret-of-postgres',
  NODE_OPTIONS: '--title=secret-of-node',
}
/** Variables that the browser is given, and those that Chromium and distributions' scripts set themselves. */
const KNOWN =
  /^(PATH|HOME|TMPDIR|LANG|PWD|OLDPWD|SHLVL|_|FONTCONFIG_FILE|LD_LIBRARY_PATH|CHROME_\w+|CHROMIUM_\w+|GOOGLE_\w+|GNOME_\w+|DBUS_\w+|SANDBOX_\w+|SBX_\w+|MALLOC_\w+|NSS_\w+|XDG_\w+)$/

const root = process.getuid?.() === 0
const linux = process.platform === 'linux'
const namespaces = linux && spawnSync('unshare', ['--user', 'true'], root ? { uid: 65_533, gid: 65_533 } : {}).status === 0

let home: string
let browser: OpenBrowser
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'confined-'))
  const before = { ...process.env }
  Object.assign(process.env, SECRETS)
  try {
    browser = await openBrowser(browserSettings({ home, browser_path: before.PUPPETEER_EXECUTABLE_PATH ?? null }))
  } finally {
    for (const name of Object.keys(SECRETS)) delete process.env[name]
    Object.assign(process.env, before)
  }
  const context = await browser.browser.createBrowserContext()
  await (await context.newPage()).goto('data:text/html,<p>text')
})
afterAll(async () => {
  await browser.close()
  await rm(home, { recursive: true, force: true })
})

describe.skipIf(!linux)(`a browser on ${process.platform}`, () => {
  it('sees no environment variable of the service in any of its processes', async () => {
    const family = await familyOf(browser.pid as number)
    expect(family.length).toBeGreaterThan(3)
    let names = 0
    for (const pid of family) {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8')
      expect(text).not.toContain('secret-of-')
      const found = text.split('\0').flatMap((pair) => /^([A-Z_a-z]\w*)=/.exec(pair)?.[1] ?? [])
      expect(found.filter((name) => !KNOWN.test(name))).toEqual([])
      names += found.length
    }
    expect(names).toBeGreaterThan(4)
  })

  it.skipIf(!root)('runs as another user if the service runs as root', async () => {
    expect(browser.confinement).toMatchObject({ uid: 65_533, service_is_root: true, because: null })
    const ids = (await Promise.all((await familyOf(browser.pid as number)).map(statusOf))).map((status) => [
      /^Uid:\t(.*)$/m.exec(status)?.[1],
      /^Gid:\t(.*)$/m.exec(status)?.[1],
      /^Groups:\t(.*)$/m.exec(status)?.[1]?.trim(),
    ])
    const another = '65533\t65533\t65533\t65533'
    expect(ids).toEqual(ids.map(() => [another, another, '']))
  })

  it.skipIf(!namespaces)('renders its pages in a sandbox if user namespaces allow it', async () => {
    expect(browser.confinement).toMatchObject({ sandboxed: true, because: null })
    const pages = await pagesOf(browser)
    expect(pages.length).toBeGreaterThan(0)
    for (const pid of pages) {
      const status = await statusOf(pid)
      // The process has a system-call filter and does not see the machine's processes.
      expect(/^Seccomp:\t(\d)/m.exec(status)?.[1]).toBe('2')
      expect(/^NSpid:\t(.*)$/m.exec(status)?.[1]?.split('\t').length).toBeGreaterThan(1)
    }
  })

  it('has a memory limit on every process', async () => {
    for (const pid of await familyOf(browser.pid as number)) {
      const [, soft] = /^Max data size +(\d+)/m.exec(await readFile(`/proc/${pid}/limits`, 'utf8')) ?? []
      expect(Number(soft)).toBeLessThanOrEqual(1024 * 1024 * 1024)
      expect(Number(soft)).toBeGreaterThan(0)
    }
  })

  it('leaves no folder or process after it closes', async () => {
    const own = (await readdir(os.tmpdir())).filter((name) => name.startsWith(`weather-browser-${process.pid}-`))
    const other = await openBrowser(browserSettings({ home }))
    const group = other.pid as number
    expect((await readdir(os.tmpdir())).filter((name) => name.startsWith(`weather-browser-${process.pid}-`))).toHaveLength(own.length + 1)
    await other.close()
    expect((await readdir(os.tmpdir())).filter((name) => name.startsWith(`weather-browser-${process.pid}-`))).toEqual(own)
    await expect.poll(() => familyOf(group)).toEqual([])
  })

  it.skipIf(!root)('does not start as root with a sandbox that it cannot create, or without one if that is forbidden', async () => {
    const { executablePath } = await browserProgram({ browser_path: null, home })
    const closed = await mkdtemp(path.join(os.tmpdir(), 'closed-'))
    const program = path.join(closed, 'browser')
    await copyFile('/bin/sh', program)
    await chmod(closed, 0o700)
    const settings = browserSettings({ home, browser_path: program })
    await expect(openBrowser({ ...settings, browser_sandbox: 'on' })).rejects.toThrow(
      /BROWSER_SANDBOX=on does not allow printing without it/,
    )
    // If its user cannot reach the program and no sandbox is required, the browser starts as root and states why.
    execFileSync('sh', ['-c', `printf '#!/bin/sh\\nexec "%s" "$@"\\n' '${executablePath}' > '${program}'; chmod 755 '${program}'`])
    const relaxed = await openBrowser(settings)
    expect(relaxed.confinement).toEqual({
      uid: null,
      sandboxed: false,
      service_is_root: true,
      because: expect.stringContaining('ermission denied'),
    })
    await relaxed.close()
    await rm(closed, { recursive: true, force: true })
  })
})

describe('the allowed ways to start a browser', () => {
  it('begin with the strictest, and all have a sandbox if it is required', () => {
    const of = (browser_sandbox: 'auto' | 'on' | 'off') => allowedModes({ browser_sandbox, browser_uid: 65_533 })
    const other = root && linux ? 65_533 : null
    expect(of('auto')[0]).toEqual({ uid: other, sandboxed: true })
    expect(of('on')).toEqual([{ uid: other, sandboxed: true }])
    expect(of('off').every(({ sandboxed }) => !sandboxed)).toBe(true)
    expect(of('auto').filter(({ uid, sandboxed }) => root && uid === null && sandboxed)).toEqual([])
  })
})

/** Returns the processes of a group, including its leader. */
async function familyOf(group: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const groups = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => {
    const [state, , grouped] = (groups[at] ?? '').replace(/^.*\) /s, '').split(' ')
    return Number(grouped) === group && state !== 'Z'
  })
}

const statusOf = (pid: string) => readFile(`/proc/${pid}/status`, 'utf8')

async function pagesOf({ pid }: OpenBrowser): Promise<string[]> {
  const family = await familyOf(pid as number)
  const words = await Promise.all(family.map((each) => readFile(`/proc/${each}/cmdline`, 'utf8')))
  return family.filter((_, at) => words[at]?.includes('--type=renderer'))
}
