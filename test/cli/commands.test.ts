import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failReport } from '#domain/reports/fail.ts'
import { createApiServer } from '#rest/host.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { bundledProgram, openTerminal, type Terminal } from './terminal.ts'

const PLACE = '100 Main Street, Frisco, TX 75034'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const WINDOW = ['--address', PLACE, '--start', '2025-01-01', '--end', '2025-02-01']

describe('the command-line program with a running service', () => {
  let world: World
  let api: FastifyInstance
  let url: string
  let folder: string
  let token: string
  let weather: Terminal

  const terminalWith = async (settings: Record<string, string>) =>
    openTerminal({ WEATHER_URL: url, WEATHER_HOME: folder, XDG_CONFIG_HOME: folder, ...settings })

  beforeAll(async () => {
    world = await openWorld()
    api = await createApiServer(world.app)
    url = await api.listen({ host: '127.0.0.1', port: 0 })
    folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
    token = (await aToken(world, await aTeam(world))).token
    weather = await terminalWith({ WEATHER_TOKEN: token })
  })
  afterAll(async () => {
    await api?.close()
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('selects rows, and prints them in lines and in cells that no spreadsheet runs', async () => {
    await weather('properties', 'add', '--address', '5 Elm Street, Frisco, TX 75034', '--label', '=1+1')
    const csv = await weather('properties', 'list', '--output', 'csv', '--fields', 'label,address.longitude', '--search', '=1')
    expect(csv.stdout).toMatch(/^label,address\.longitude\r\n'=1\+1,-9\d\.\d+\r\n$/)
    const lines = await weather('properties', 'list', '--output', 'ndjson', '--fields', 'label', '--all')
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual({ label: '=1+1' })
  })

  test('a listing is saved to a file or piped; a refused one leaves no file', async () => {
    const file = path.join(folder, 'properties.geojson')
    const saved = await weather('export', 'properties', '--format', 'geojson', '--out', file, '--where', 'search=elm')
    expect(saved).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(/properties\.geojson: \d+ bytes/) })
    expect(JSON.parse(readFileSync(file, 'utf8')).features).toHaveLength(1)
    const passed = await weather('export', 'properties', '--out', '-')
    expect(passed.stdout).toMatch(/^id,name,label[\s\S]*,'=1\+1,[\s\S]*\r\n$/)
    const refused = await weather('export', 'reports', '--out', path.join(folder, 'none.csv'), '--where', 'status=done')
    expect(refused).toMatchObject({ status: 7, stderr: expect.stringContaining('status: ') })
    expect((await weather('export', 'people', '--out', path.join(folder, 'none.csv'))).status).toBe(2)
    expect((await weather('export', 'events', '--out', path.join(folder, 'none.csv'), '--report', UNKNOWN)).status).toBe(3)
    expect(readdirSync(folder).filter((name) => name.includes('none') || name.endsWith('.part'))).toEqual([])
  })

  test('a download that breaks off leaves no file under its name', async () => {
    const breaking = createServer((_request, response) => {
      response.write('id,name\r\n')
      setTimeout(() => response.destroy(), 100)
    }).listen(0, '127.0.0.1')
    await once(breaking, 'listening')
    const broken = await terminalWith({ WEATHER_URL: `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`, WEATHER_TOKEN: token })
    const file = path.join(folder, 'broken.csv')
    expect(await broken('export', 'reports', '--out', file)).toMatchObject({ status: 1, stderr: expect.stringMatching(/was cut off/) })
    expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([])
    breaking.close()
  })

  test('every exit status has its documented meaning', async () => {
    const poor = await terminalWith({ WEATHER_TOKEN: (await aToken(world, await aTeam(world, { credits: 0 }))).token })
    const blind = await terminalWith({ WEATHER_TOKEN: (await aToken(world, await aTeam(world), ['maps:read'])).token })
    const away = await openTerminal({ WEATHER_URL: 'http://127.0.0.1:1', WEATHER_TOKEN: token })
    const failed = JSON.parse((await weather('reports', 'create', ...WINDOW, '--json')).stdout).data.id
    await failReport(world.app, failed, 'timed_out')
    const pending = JSON.parse((await weather('reports', 'create', ...WINDOW, '--json')).stdout).data.id
    await weather('reports', 'create', ...WINDOW, '--idempotency-key', 'one')
    const cases: [terminal: Terminal, words: string[], status: number, said: RegExp][] = [
      [weather, ['whoami'], 0, /^$/],
      [away, ['login', '--url', 'http://127.0.0.1:1'], 1, /cannot be reached/],
      [weather, ['reports', 'create', ...WINDOW.slice(2)], 2, /--address/],
      [weather, ['reports', 'delete', pending], 2, /--yes/],
      [weather, ['reports', 'show', UNKNOWN], 3, /./],
      [blind, ['reports', 'list'], 4, /./],
      [poor, ['reports', 'create', ...WINDOW], 5, /credit/],
      [weather, ['reports', 'create', ...WINDOW, '--radius', '3', '--idempotency-key', 'one'], 6, /./],
      [weather, ['reports', 'create', ...WINDOW.slice(0, 4), '--end', 'soon'], 7, /window_end: /],
      [weather, ['reports', 'wait', failed], 9, /timed_out/],
      [weather, ['reports', 'wait', pending, '--timeout', '0'], 75, /pending/],
    ]
    for (const [terminal, words, status, message] of cases) {
      const run = await terminal(...words)
      expect({ words, status: run.status, stderr: run.stderr }).toEqual({ words, status, stderr: expect.stringMatching(message) })
    }
  })

  test('too many requests exit with 8', async () => {
    const { token: limitedToken } = await aToken(world, await aTeam(world))
    const many = Array.from({ length: 121 }, () => fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${limitedToken}` } }))
    await Promise.all(many)
    const { status } = await (await terminalWith({ WEATHER_TOKEN: limitedToken }))('whoami')
    expect(status).toBe(8)
  })

  test('a login is stored readable only by its owner, selects the service by name, and can be deleted', async () => {
    const unset = await terminalWith({ WEATHER_TOKEN: token })
    expect(await unset('login', '--profile', 'work')).toMatchObject({ status: 0 })
    const file = path.join(folder, 'weather/profiles.json')
    const kept = path.join(folder, 'token')
    writeFileSync(kept, `${token}\n`)
    expect(await (await terminalWith({ WEATHER_TOKEN_FILE: kept }))('login', '--profile', 'filed')).toMatchObject({ status: 0 })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ work: { url, token }, filed: { url, token } })
    expect((await unset('logout', '--profile', 'filed')).status).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const named = await openTerminal({ XDG_CONFIG_HOME: folder, WEATHER_PROFILE: 'work' })
    expect((await named('whoami', '--fields', 'token.prefix')).stdout).toContain(token.slice(0, 9))
    expect((await named('logout')).status).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain(token)
  })

  test('a login applies while WEATHER_URL names its service, and otherwise its use is printed', async () => {
    const elsewhere = path.join(folder, 'elsewhere')
    const settings = { WEATHER_URL: url, XDG_CONFIG_HOME: elsewhere, WEATHER_HOME: folder }
    const logged = await openTerminal({ ...settings, WEATHER_URL: `${url}/` }, token)
    expect(await logged('login')).toMatchObject({ status: 0, stderr: `Saved in ${path.join(elsewhere, 'weather/profiles.json')}.\n` })
    expect((await (await openTerminal(settings))('whoami', '--fields', 'token.prefix')).stdout).toContain(token.slice(0, 9))
    const other = await openTerminal({ ...settings, WEATHER_URL: 'http://127.0.0.1:1' }, token)
    expect((await other('login', '--url', url)).stderr).toContain('Use it with --profile default: WEATHER_URL names another service.\n')
  })

  test('a create that is sent twice under one key is charged once', async () => {
    const create = () => weather('reports', 'create', ...WINDOW, '--idempotency-key', 'twice', '--json')
    const [one, other] = [await create(), await create()]
    expect(JSON.parse(other.stdout).data.id).toBe(JSON.parse(one.stdout).data.id)
  })

  test('every expected command exists, is completed by the shell, and has the common options', async () => {
    const { stdout } = await weather('completion', 'bash')
    const found = [...stdout.matchAll(/^ {4}'(.+)'\) next='(.*)' ;;$/gm)].map(([, name, next]) => [name, next!.split(' ')] as const)
    // For an export --output is the file, and messages of an assistant have their own format.
    const leaves = found.filter(
      ([name, next]) =>
        !['completion', 'export', 'archive export', 'swaths', 'mcp'].includes(String(name)) && next.every((word) => word.startsWith('--')),
    )
    for (const [name, next] of leaves)
      expect({ name, next }).toEqual({
        name,
        next: expect.arrayContaining(['--output', '--json', '--fields', '--profile', '--yes', '--help']),
      })
    expect(found.map(([name]) => name)).toEqual(expect.arrayContaining(['export', 'swaths', 'mcp']))
    const wanted = {
      '': 'login logout whoami status credits runs events api verify listen playback ui doctor',
      reports: 'list show create batch wait events verify pdf delete',
      properties: 'list show add import edit archive delete enrich report exposures',
      contacts: 'list add edit delete',
      territories: 'list show quote add edit status delete exposures',
      exposures: 'list show ack dismiss reopen watch',
      storms: 'list show',
      alerts: 'list create edit ask-again delete mails',
      destinations: 'list show add edit test secret rotate delete',
      deliveries: 'list show resend',
      places: 'search',
      tiles: 'get',
      archive: 'import sync status forget',
      monitor: 'run',
      blobs: 'move',
    }
    const names = Object.entries(wanted).flatMap(([noun, verbs]) => verbs.split(' ').map((verb) => `${noun} ${verb}`.trim()))
    expect(leaves.map(([name]) => name)).toEqual(expect.arrayContaining(names))
    const paged = leaves.filter(([, next]) => next.includes('--per-page')).map(([name]) => name)
    expect(paged.filter((name) => !leaves.find(([one]) => one === name)?.[1].includes('--all'))).toEqual([])
    const help = await weather('reports', 'create', '--help')
    expect(help.stdout).toMatch(/Example:\n {2}weather reports create --address/)
    expect(await weather('help', 'reports', 'create')).toEqual(help)
    expect(await weather('help', 'reports', 'craete')).toMatchObject({
      status: 2,
      stderr: 'weather: There is no command reports craete: see weather reports --help.\n',
    })
    expect((await weather('help')).stdout).toContain('weather [options] [command]')
  })

  test('prints that there are more rows', async () => {
    for (const number of [7, 9, 11])
      await weather('properties', 'add', '--address', `${number} Oak Street, Frisco, TX 75034`, '--label', `Row ${number}`)
    const of = async (...words: string[]) => (await weather('properties', 'list', '--search', 'Row ', ...words)).stderr
    const more = 'Page 1 of 2, 3 rows in all: --page 2 prints the next, --all every one.\n'
    expect([await of('--per-page', '2'), await of('--per-page', '2', '--page', '2'), await of('--all')]).toEqual([more, '', ''])
    expect(await of('--per-page', '2', '--json')).toBe('')
    // Rows alone do not show that they are not all.
    for (const format of ['--output=csv', '--output=ndjson', '--json'])
      expect(await of('--per-page', '2', '--fields', 'label', format)).toBe(more)
  })
})

describe('the completion script', () => {
  const runs = {
    bash: (script: string, typed: string[]) =>
      `source ${script}; COMP_WORDS=(${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length - 1}; _weather; echo "\${COMPREPLY[@]}"`,
    // As bashcompinit calls it. It filters nothing, because zsh itself does.
    zsh: (script: string, typed: string[]) => `autoload -U compinit && compinit -D -u; setopt ksharrays; ${runs.bash(script, typed)}`,
    fish: (script: string, typed: string[]) => `source ${script}; complete -C '${typed.join(' ')}'`,
  }
  const plain = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }
  const isThere = (shell: string) => spawnSync(shell, ['--version']).status === 0

  test.each(['bash', 'zsh', 'fish'] as const)('offers in %s what may follow, and nothing else', async (shell) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
    const script = path.join(folder, shell)
    writeFileSync(script, (await (await openTerminal({}))('completion', shell)).stdout)
    // The script for zsh must not use its special variables, also where there is no zsh to run it.
    expect(readFileSync(script, 'utf8')).not.toMatch(/\blocal [^\n]*\b(path|status|words)\b/)
    if (!isThere(shell)) return
    const offered = (...typed: string[]) => {
      const { stdout, stderr } = spawnSync(shell, [...plain[shell], '-c', runs[shell](script, ['weather', ...typed])], { cwd: folder })
      expect(String(stderr)).toBe('')
      return String(stdout)
        .split(/\s+/)
        .filter((word) => /^[\w-]+$/.test(word))
    }
    expect(offered('')).toEqual(expect.arrayContaining(['reports', 'verify']))
    expect(offered('reports', '')).toEqual(expect.arrayContaining(['list', 'show', 'create']))
    const options = offered('reports', 'list', '--')
    expect(options).toEqual(expect.arrayContaining(['--status', '--output', '--all']))
    expect(options).not.toContain('--wait')
    expect(offered('account', '--f')).toContain('--fields')
    expect(offered('reports', 'show', 'ID', '--f')).toContain('--fields')
    for (const typed of [
      ['reports', 'list', ''],
      ['reports', 'show', 'ID', '--json', ''],
    ])
      expect(offered(...typed)).not.toEqual(expect.arrayContaining(['create']))
    rmSync(folder, { recursive: true })
  })
})

test('a listener on an IPv6 address states a usable URL', async ({ skip }) => {
  const child = spawn(process.execPath, [await bundledProgram(), 'listen', '--port', '0', '--host', '::1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const [said] = (await once(child.stderr, 'data')) as [Buffer]
    skip(/EADDRNOTAVAIL|EAFNOSUPPORT/.test(String(said)), 'this machine has no IPv6')
    expect(String(said)).toMatch(/http:\/\/\[::1\]:\d+;/)
  } finally {
    child.kill()
  }
})

test('a listener prints incoming posts, and refuses those that its secret did not sign', async () => {
  const words = ['listen', '--port', '0', '--secret', 'whsec_x']
  const child = spawn(process.execPath, [await bundledProgram(), ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const [output] = (await once(child.stderr, 'data')) as [Buffer]
    const address = /http:\S+\d/.exec(String(output))?.[0] as string
    const post = async (secret: string) => {
      const seconds = Math.floor(Date.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${seconds}.{"a":1}`).digest('hex')
      return (await fetch(address, { method: 'POST', body: '{"a":1}', headers: { 'x-service-signature': `t=${seconds},v1=${signature}` } }))
        .status
    }
    const printed = once(child.stdout, 'data')
    expect(await post('whsec_x')).toBe(204)
    expect(JSON.parse(String((await printed)[0]))).toMatchObject({ signed: true, body: { a: 1 } })
    expect(await post('whsec_y')).toBe(401)
    child.kill('SIGINT')
    expect((await once(child, 'close'))[0]).toBe(130)
  } finally {
    child.kill()
  }
})
