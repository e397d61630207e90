import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '#rest/host.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { bundledProgram } from './terminal.ts'

const run = promisify(execFile)

let world: World
let api: Awaited<ReturnType<typeof createApiServer>>
let folder: string

beforeAll(async () => {
  world = await openWorld()
  api = await createApiServer(world.app)
  folder = mkdtempSync(path.join(os.tmpdir(), 'weather-pack-'))
})
afterAll(async () => {
  await api?.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the package, installed alone in an empty folder, brings no other package and needs none', async () => {
  const url = await api.listen({ host: '127.0.0.1', port: 0 })
  const { token } = await aToken(world, await aTeam(world, { name: 'Packed' }))
  await bundledProgram()
  await run(process.execPath, ['scripts/build/pack.mjs', 'terminal', '--lay-out'])
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, './dist/packages/terminal'])
  const empty = path.join(folder, 'empty')
  mkdirSync(empty)
  // Without a network: there is nothing to fetch.
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(folder, packed!.filename)], { cwd: empty })
  expect(readdirSync(path.join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['weather-report-terminal'])
  const manifest = JSON.parse(readFileSync(path.join(empty, 'node_modules/weather-report-terminal/package.json'), 'utf8'))
  expect(manifest.dependencies ?? {}).toEqual({})

  // The packages that it contains are listed with versions and licences; packages of the server or the tests are not.
  const bom = JSON.parse(readFileSync(path.join(empty, 'node_modules/weather-report-terminal/cli.cdx.json'), 'utf8'))
  const listed = (bom.components as { name: string; licenses: unknown[] }[]).map(({ name }) => name)
  expect(listed).toEqual(expect.arrayContaining(['commander', 'ink', 'react']))
  expect(['bullmq', 'fastify', 'prisma', 'vitest'].filter((name) => listed.includes(name))).toEqual([])
  expect(bom.components.filter(({ licenses }: { licenses?: unknown[] }) => !licenses?.length)).toEqual([])

  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder }
  const weather = async (words: string[], more = {}) =>
    (await run(path.join(empty, 'node_modules/.bin/weather'), words, { cwd: empty, env: { ...env, ...more } })).stdout
  expect(await weather(['--help'])).toContain('reports')
  expect(await weather(['login', '--url', url], { WEATHER_TOKEN: token })).toContain('Packed')
  expect(JSON.parse(await weather(['reports', 'list', '--json']))).toMatchObject({ data: [], meta: { total: 0 } })
  const blank = path.join(folder, 'blank.pdf')
  writeFileSync(
    blank,
    await blankPrinter.print('', { format: 'Letter', footer: '', margin: { top: '0', right: '0', bottom: '0', left: '0' } }),
  )
  // It also reads PDFs without other packages.
  await expect(weather(['verify', blank, '--offline'])).rejects.toMatchObject({ code: 9, stdout: expect.stringContaining('evidence.json') })
})
