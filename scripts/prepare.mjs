import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildEnvironment, npmEnvironment } from './build-environment.mjs'
import { bundles, isFresh } from './bundles.mjs'
import { underLock } from './lock.mjs'
import { fromRoot, root } from './root.mjs'
import { step } from './steps.mjs'

/**
 * Prepares a clone to run: packages, generated code, bundles. Leaves up-to-date parts alone.
 * @param {{ bundled?: string[], tools?: boolean, signal?: AbortSignal }} wanted bundled: names of bundles; tools: also the packages
 * of tests, checks and benchmarks
 */
export async function prepare({ bundled = Object.keys(bundles), tools = false, signal } = {}) {
  const wanted = bundled.filter((name) => existsSync(fromRoot(bundles[name].from)))
  if (packagesAreInstalled(tools) && codeIsGenerated() && wanted.every(isFresh)) return
  await underLock(fromRoot('dist/prepare.lock'), async () => {
    if (!packagesAreInstalled(tools)) await step('packages', () => installPackages(tools, signal), packageProgress)
    if (!codeIsGenerated()) await step('database code', generateCode)
    const stale = wanted.filter((name) => !isFresh(name))
    if (stale.length)
      await step('bundles', () => run(process.execPath, [fromRoot('scripts/build/bundle.mjs'), ...stale], buildEnvironment(process.env)))
  })
}

const readJson = (name) => JSON.parse(readFileSync(fromRoot(name), 'utf8'))

/** Whether node_modules has every package of the lock, or every runtime package. npm writes its own list there when it is done. */
function packagesAreInstalled(tools) {
  if (!existsSync(fromRoot('node_modules/.package-lock.json'))) return false
  const installed = readJson('node_modules/.package-lock.json').packages
  const wanted = Object.entries(readJson('package-lock.json').packages).filter(([name, { dev }]) => name !== '' && (tools || !dev))
  return wanted.every(([name, { version, optional }]) => (installed[name] ? installed[name].version === version : optional))
}

function installPackages(tools, signal) {
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const env = npmEnvironment(process.env)
  // npm needs a home folder for its cache.
  if (!env.HOME) env.npm_config_cache = path.join(tmpdir(), 'weather-npm-cache')
  // If the runtime packages are installed, the rest is added: a service may run from here, and a clean install would remove its packages.
  const install = tools && packagesAreInstalled(false) ? ['install', '--no-save'] : ['ci']
  const kinds = [tools ? '--include=dev' : '--omit=dev', '--include=optional']
  return run(command, [...first, ...install, ...kinds, '--loglevel=error', '--no-progress'], env, signal)
}

/** npm creates every folder first, and fills them as the packages arrive. */
function packageProgress() {
  const folders = existsSync(fromRoot('node_modules')) ? readdirSync(fromRoot('node_modules')).filter((name) => !name.startsWith('.')) : []
  const packages = folders.flatMap((name) =>
    name.startsWith('@') ? readdirSync(fromRoot(`node_modules/${name}`)).map((part) => `${name}/${part}`) : [name],
  )
  const filled = packages.filter((name) => existsSync(fromRoot(`node_modules/${name}/package.json`)))
  return packages.length ? `${filled.length} of ${packages.length}` : 'querying the registry'
}

const GENERATED_FROM = 'generated/from'

const schemaHash = () =>
  createHash('sha256')
    .update(readFileSync(fromRoot('schema.prisma')))
    .update(readFileSync(fromRoot('scripts/build/generate.mjs')))
    .update(readFileSync(fromRoot('node_modules/@prisma/client-generator-ts/package.json')))
    .digest('hex')

function codeIsGenerated() {
  return existsSync(fromRoot(GENERATED_FROM)) && readFileSync(fromRoot(GENERATED_FROM), 'utf8') === schemaHash()
}

/** Generates the database code, and notes what it was made from. */
export async function generateCode() {
  await run(process.execPath, [fromRoot('scripts/build/generate.mjs'), root], buildEnvironment(process.env))
  writeFileSync(fromRoot(GENERATED_FROM), schemaHash())
}

/** Runs a program without output. If it fails, its output becomes the message of the error. */
function run(command, args, env, signal = undefined) {
  const child = spawn(command, args, { cwd: root, env, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    printed += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error(`${path.basename(command)} ${args.join(' ')} failed:\n${printed.trim()}`)),
    )
  })
}
