import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildEnvironment, npmEnvironment } from '../../scripts/build-environment.mjs'

const settings = { DATABASE_URL: 'postgresql://owner:secret@127.0.0.1/weather', WEATHER_SECRET_KEY: 'secret', SMTP_URL: 'smtp://secret' }

describe('the build of a clone', () => {
  it('receives no settings of the service', () => {
    const env = {
      ...settings,
      PATH: '/bin',
      HOME: '/home/ann',
      https_proxy: 'http://proxy',
      npm_config_registry: 'https://registry.example.com',
    }
    expect(buildEnvironment(env)).toEqual({ PATH: '/bin' })
    const { DATABASE_URL: _url, WEATHER_SECRET_KEY: _key, SMTP_URL: _mail, ...rest } = env
    expect(npmEnvironment(env)).toEqual(rest)
  })

  /** A clone without packages, whose npm records its arguments and fails. */
  async function askNpm(...words: string[]): Promise<{ args: string[]; env: Record<string, string> }> {
    const clone = await mkdtemp(path.join(tmpdir(), 'weather-clone-'))
    for (const name of ['scripts', 'package.json', 'package-lock.json']) await cp(name, path.join(clone, name), { recursive: true })
    const npm = path.join(clone, 'npm.js')
    await writeFile(npm, `console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env })); process.exitCode = 1`)
    const env = { PATH: process.env.PATH, ...settings, npm_execpath: npm, WEATHER_HOME: path.join(clone, '.weather') }
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [path.join(clone, 'scripts/start.mjs'), ...words], { env }, (_fault, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
    return JSON.parse(/^\{.*\}$/m.exec(printed)?.[0] ?? '{}')
  }

  it('installs the runtime packages for npm start, and all packages for npm test', async () => {
    const start = await askNpm()
    expect(start.args).toEqual(expect.arrayContaining(['ci', '--omit=dev']))
    expect(Object.keys(start.env).filter((name) => name in settings)).toEqual([])
    expect((await askNpm('test')).args).toEqual(expect.arrayContaining(['ci', '--include=dev']))
  })

  it('marks in its lock file the packages that only tests and checks need', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, { dev?: boolean }> }
    const runs = (name: string) => packages[`node_modules/${name}`]?.dev !== true
    for (const name of ['fastify', 'pg', 'esbuild', 'ink', '@prisma/client-generator-ts']) expect([name, runs(name)]).toEqual([name, true])
    for (const name of ['vitest', 'knip', '@biomejs/biome', 'prisma-cli', '@electric-sql/pglite', 'stripe'])
      expect([name, runs(name)]).toEqual([name, false])
  })
})
