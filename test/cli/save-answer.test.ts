import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundledProgram, openTerminal, type Terminal } from './terminal.ts'

/** Every request gets these bytes; the tests check where they are saved. */
const BYTES = '{"type":"FeatureCollection","features":[]}'

let folder: string
let answering: Server
let weather: Terminal
/** The same, run in the folder. */
let weatherInFolder: Terminal
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
  answering = createServer((_request, response) => void response.end(BYTES))
  await new Promise<void>((listening) => answering.listen(0, '127.0.0.1', listening))
  const settings = {
    WEATHER_URL: `http://127.0.0.1:${(answering.address() as AddressInfo).port}`,
    WEATHER_TOKEN: 'wt_any',
    WEATHER_OPERATOR_KEY: 'wo_any',
  }
  weather = await openTerminal(settings)
  weatherInFolder = await openTerminal(settings, '', folder)
})
afterAll(async () => {
  await new Promise((closed) => answering.close(closed))
  rmSync(folder, { recursive: true, force: true })
})

const commands = [
  'export reports',
  'archive export',
  'swaths 2025-05-28',
  'storms show 2025-05-28',
  'tiles get 6 14 25',
  'reports pdf 00000000-0000-7000-8000-000000000000',
]

describe.each(commands)('weather %s', (command) => {
  it('states which folder is missing', async () => {
    const file = path.join(folder, 'not/there/yet')
    expect(await weather(...command.split(' '), '--out', file)).toEqual({
      status: 2,
      stdout: '',
      stderr: `weather: ${file} cannot be written: there is no folder ${path.dirname(file)}.\n`,
    })
  })

  it('does not replace a folder or a device', async () => {
    expect((await weather(...command.split(' '), '--out', folder)).stderr).toBe(`weather: ${folder} cannot be written: it is a folder.\n`)
    expect(await weather(...command.split(' '), '--out', '/dev/full')).toMatchObject({
      status: 2,
      stderr: 'weather: /dev/full cannot be written: the disk is full.\n',
    })
    expect(await weather(...command.split(' '), '--out', '/dev/null')).toMatchObject({ status: 0 })
    expect(readdirSync(folder)).toEqual([])
  })

  it('writes the whole response', async () => {
    const file = path.join(folder, 'whole')
    expect(await weather(...command.split(' '), '--out', file)).toMatchObject({ status: 0, stdout: '' })
    expect(readFileSync(file, 'utf8')).toBe(BYTES)
    rmSync(file)
  })
})

it.each([
  ['export reports', 'reports.csv'],
  ['archive export', 'archive.csv'],
  ['swaths 2025-05-28', 'swaths-2025-05-28.geojson'],
  ['reports pdf 00000000-0000-7000-8000-000000000000', 'report.pdf'],
])('weather %s replaces %s only if the command line names it', async (command, name) => {
  const file = path.join(folder, name)
  expect(await weatherInFolder(...command.split(' '))).toMatchObject({ status: 0 })
  writeFileSync(file, 'what is kept')
  expect(await weatherInFolder(...command.split(' '))).toEqual({
    status: 2,
    stdout: '',
    stderr: `weather: ${name} exists: name another file with --out, or replace it with --out ${name}.\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe('what is kept')
  expect(await weatherInFolder(...command.split(' '), '--out', name)).toMatchObject({ status: 0 })
  expect(readFileSync(file, 'utf8')).toBe(BYTES)
  rmSync(file)
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a download that %s interrupts leaves no file', async (signal, status) => {
  const endless = createServer((_request, response) => void response.write('id\r\n'))
  await new Promise<void>((listening) => endless.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
  const file = path.join(folder, 'endless')
  const child = spawn(process.execPath, [await bundledProgram(), 'export', 'reports', '--out', file], {
    env: { PATH: process.env.PATH, WEATHER_URL: url, WEATHER_TOKEN: 'wt_any' },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    await vi.waitFor(() => expect(existsSync(`${file}.part`)).toBe(true), { timeout: 45_000 })
    child.kill(signal)
    expect(await ended).toEqual([status, null])
    expect(readdirSync(folder)).toEqual([])
  } finally {
    child.kill('SIGKILL')
    endless.closeAllConnections()
    endless.close()
  }
})

it('a file that cannot be read is reported in a sentence', async () => {
  const none = path.join(folder, 'none')
  const plain = path.join(folder, 'plain')
  writeFileSync(plain, '')
  const cases: [line: string, said: string][] = [
    [`verify ${none}`, `${none} cannot be read: there is no such file.`],
    [`properties import ${folder}`, `${folder} cannot be read: it is a folder.`],
    [`verify ${plain}/list`, `${plain}/list cannot be read: a file exists where a folder is needed.`],
  ]
  for (const [line, message] of cases)
    expect(await weather(...line.split(' '))).toMatchObject({ status: 2, stderr: `weather: ${message}\n` })
  rmSync(plain)
})

it.each(['api POST /reports --input -', 'properties import -', 'territories add --geojson -', 'login --url http://127.0.0.1:1'])(
  'weather %s can be interrupted while it reads standard input',
  async (line) => {
    const child = spawn(process.execPath, [await bundledProgram(), ...line.split(' ')], {
      env: { PATH: process.env.PATH, WEATHER_URL: 'http://127.0.0.1:1', WEATHER_OPERATOR_KEY: 'wo_any' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const ended = once(child, 'exit')
    try {
      // More than a pipe holds: when it is taken, the program reads.
      await new Promise((taken) => child.stdin.write(' '.repeat(PIPE_BYTES * 2), taken))
      child.kill('SIGINT')
      expect(await Promise.race([ended, pause(PATIENCE_MS)])).toEqual([130, null])
    } finally {
      child.kill('SIGKILL')
    }
  },
)

const PIPE_BYTES = 2 ** 20
const PATIENCE_MS = 3_000

it('a file may begin with a byte order mark', async () => {
  const file = path.join(folder, 'marked.json')
  writeFileSync(file, '\ufeff{"name":"Moore"}')
  expect(await weather('api', 'POST', '/territories', '--input', file)).toMatchObject({ status: 0, stderr: '' })
  rmSync(file)
})
