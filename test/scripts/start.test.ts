import { execFile } from 'node:child_process'
import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { takeLock } from '../../scripts/lock.mjs'
import { prepare } from '../../scripts/prepare.mjs'
import { readSecrets } from '../../scripts/secrets.mjs'

describe('npm start', () => {
  let home: string
  beforeAll(() => prepare({ bundled: ['server'] }))
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'weather-start-'))
  })

  it('reports that a service already runs on the state folder, and exits', async () => {
    takeLock(path.join(home, 'lock'))
    const { code, printed } = await run(['scripts/start.mjs'], { WEATHER_HOME: home })
    expect(code).toBe(1)
    expect(printed).toContain(`already runs on ${home} (process ${process.pid})`)
  })

  it('uses the state folder from the file that WEATHER_HOME_FILE names, and passes only that to the server', async () => {
    const [named, settings] = [path.join(home, 'named'), { WEATHER_HOME: '', DATABASE_URL: inject('postgres'), PORT: '99999' }]
    await writeFile(named, `${path.join(home, 'state')}\n`)
    const { code, printed } = await run(['scripts/start.mjs'], { ...settings, WEATHER_HOME_FILE: named })
    expect(code).toBe(2)
    expect(printed).toContain('PORT must be at most 65535')
    expect(printed).not.toContain('WEATHER_HOME')
    expect((await stat(path.join(home, 'state'))).isDirectory()).toBe(true)
    const { printed: missing } = await run(['scripts/start.mjs'], { ...settings, WEATHER_HOME_FILE: path.join(home, 'none') })
    expect(missing).toBe(`WEATHER_HOME_FILE ${path.join(home, 'none')} cannot be read: there is no such file\n`)
  })

  it('creates the keys of the install once, readable only by their owner', async () => {
    const made = readSecrets(home)
    expect(Buffer.from(made.WEATHER_SECRET_KEY, 'base64')).toHaveLength(32)
    expect(made.WEATHER_OPERATOR_KEY).toMatch(/^wo_[\w-]{32}$/)
    expect(readSecrets(home)).toEqual(made)
    expect((await stat(path.join(home, 'secrets.json'))).mode & 0o777).toBe(0o600)
  })

  it('names every invalid setting, and never repeats its value', async () => {
    const { code, printed } = await run(['dist/serve.js'], {
      DATABASE_URL: inject('postgres'),
      WEATHER_SECRET_KEY: 'too-short',
      PORT: '99999',
      WEATHER_HOME: home,
    })
    expect(code).toBe(2)
    expect(printed).toContain('WEATHER_SECRET_KEY must be 32 bytes in base64')
    expect(printed).toContain('PORT must be at most 65535')
    expect(printed).not.toContain('too-short')
  })

  it('refuses an unknown role', async () => {
    const { code, printed } = await run(['dist/serve.js', '--roles=api,cook'], { WEATHER_HOME: home })
    expect(code).toBe(2)
    expect(printed).toContain("--roles must be of api, worker, or none, not 'cook'")
  })

  it.each([
    [['--except-jobs=report.render,tea'], "--except-jobs must be of report.generate, .*, not 'tea'"],
    [['--jobs=report.render', '--except-jobs=report.generate'], '--jobs and --except-jobs exclude each other'],
  ])('refuses %j', async (args, message) => {
    const { code, printed } = await run(['dist/serve.js', '--roles=worker', ...args], { WEATHER_HOME: home })
    expect(code).toBe(2)
    expect(printed).toMatch(new RegExp(message))
  })

  it.each([
    [['--force-rows'], '--force-rows needs --migrate'],
    [['--force-rows', '--roles=none'], '--force-rows needs --migrate'],
    [['--roles=none'], '--roles=none needs --migrate'],
    [['--roles=api', '--jobs=report.render'], '--jobs needs the role worker'],
    [['--roles=none', '--migrate', '--except-jobs=report.render'], '--except-jobs needs the role worker'],
  ])('refuses %j, which would be ignored', async (args, message) => {
    const { code, printed } = await run(['dist/serve.js', ...args], { WEATHER_HOME: home })
    expect(code).toBe(2)
    expect(printed).toContain(message)
  })

  it('refuses settings of a database without its address', async () => {
    const settings = { DATABASE_PASSWORD: 'never-printed', DATABASE_MIGRATE_URL: 'postgresql://database/weather' }
    const { code, printed } = await run(['scripts/start.mjs'], { WEATHER_HOME: home, ...settings })
    expect(code).toBe(2)
    for (const name of Object.keys(settings)) expect(printed).toContain(`${name} needs DATABASE_URL, and has no effect without it`)
    expect(printed).not.toContain('never-printed')
    expect(printed).not.toContain('PostgreSQL ')
  })

  it('treats settings from files as set, and starts no database of its own for them', async () => {
    const { code, printed } = await run(['scripts/start.mjs'], { WEATHER_HOME: home, DATABASE_URL_FILE: path.join(home, 'none') })
    expect(code).toBe(2)
    expect(printed).toContain(`DATABASE_URL_FILE ${path.join(home, 'none')} cannot be read: there is no such file`)
    expect(printed).not.toContain('PostgreSQL ')
  })
})

function run(args: string[], env: Record<string, string>): Promise<{ code: number; printed: string }> {
  const { DATABASE_URL: _url, ...inherited } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...inherited, ...env } }, (fault, stdout, stderr) => {
      resolve({ code: fault ? Number(fault.code) : 0, printed: stdout + stderr })
    })
  })
}
