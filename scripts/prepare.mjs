import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { underLock } from './lock.mjs'
import { step } from './steps.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Oldest Node.js that every package runs on. */
const OLDEST_NODE = [20, 19]

/** @throws Error where this Node.js is too old */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  throw new Error(`Node.js ${OLDEST_NODE.join('.')} or later is needed; this is ${process.versions.node}`)
}

/**
 * Brings a clone to the state in which it runs: packages, generated code, bundles. What is up to date is left alone.
 * @param {{ bundled?: 'all' | 'server' | 'terminal' | 'none', signal?: AbortSignal }} wanted
 */
export async function prepare({ bundled = 'all', signal } = {}) {
  const wanted = bundles.filter(({ from, of }) => (bundled === 'all' || bundled === of) && existsSync(at(from)))
  if (packagesAreInstalled() && codeIsGenerated() && wanted.every(isFresh)) return
  await underLock(at('dist/prepare.lock'), async () => {
    if (!packagesAreInstalled()) await step('packages', () => installPackages(signal), howManyPackages)
    if (!codeIsGenerated()) await step('database code', generateCode)
    const stale = wanted.filter((bundle) => !isFresh(bundle))
    if (stale.length) await step('bundles', () => buildBundles(stale))
  })
}

const at = (name) => path.join(root, name)
const readJson = (name) => JSON.parse(readFileSync(at(name), 'utf8'))

/** Whether every package of the lock stands in node_modules: npm writes its own list there when it is done. */
function packagesAreInstalled() {
  if (!existsSync(at('node_modules/.package-lock.json'))) return false
  const installed = readJson('node_modules/.package-lock.json').packages
  const wanted = Object.entries(readJson('package-lock.json').packages).filter(([name]) => name !== '')
  return wanted.every(([name, { version, optional }]) => (installed[name] ? installed[name].version === version : optional))
}

function installPackages(signal) {
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const env = { ...process.env }
  // Without a home npm has no place for its cache.
  if (!env.HOME) env.npm_config_cache = path.join(tmpdir(), 'weather-npm-cache')
  return run(command, [...first, 'ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-progress'], env, signal)
}

/** npm makes every folder first, and fills them as the packages arrive. */
function howManyPackages() {
  const folders = existsSync(at('node_modules')) ? readdirSync(at('node_modules')).filter((name) => !name.startsWith('.')) : []
  const packages = folders.flatMap((name) =>
    name.startsWith('@') ? readdirSync(at(`node_modules/${name}`)).map((part) => `${name}/${part}`) : [name],
  )
  const filled = packages.filter((name) => existsSync(at(`node_modules/${name}/package.json`)))
  return packages.length ? `${filled.length} of ${packages.length}` : 'asking the registry'
}

const GENERATED_FROM = 'generated/from'

const schemaHash = () =>
  createHash('sha256')
    .update(readFileSync(at('schema.prisma')))
    .update(readFileSync(at('node_modules/prisma/package.json')))
    .digest('hex')

function codeIsGenerated() {
  return existsSync(at(GENERATED_FROM)) && readFileSync(at(GENERATED_FROM), 'utf8') === schemaHash()
}

/** `prisma generate` reads the schema with code of its own: any program stands in for the engine that it would download. */
export async function generateCode() {
  const engine = ['/bin/true', '/usr/bin/true'].find((file) => existsSync(file))
  const generators = `${at('node_modules/.bin')}${path.delimiter}${process.env.PATH}`
  await run(process.execPath, [at('node_modules/prisma/build/index.js'), 'generate'], {
    ...process.env,
    PATH: generators,
    PRISMA_SCHEMA_ENGINE_BINARY: engine,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  })
  writeFileSync(at(GENERATED_FROM), schemaHash())
}

/** What is bundled: whose program it is, the file made, the one it begins in, and the folders it is made of. */
const bundles = [
  { of: 'server', made: 'dist/serve.js', from: 'serve.ts', folders: ['domain', 'graphql', 'rest', 'workers', 'generated'] },
  { of: 'terminal', made: 'dist/cli.js', from: 'cli/main.tsx', folders: ['cli'] },
]

function isFresh({ made, from, folders }) {
  if (!existsSync(at(made))) return false
  const built = statSync(at(made)).mtimeMs
  const sources = folders.flatMap((folder) => readdirSync(at(folder), { recursive: true }).map((name) => path.join(folder, String(name))))
  return [from, 'package.json', ...sources].every((file) => statSync(at(file)).mtimeMs < built)
}

async function buildBundles(stale) {
  const { build } = await import('esbuild')
  // Its pieces are named for what is in them: those of a build before would stay.
  if (stale.some(({ of }) => of === 'terminal')) rmSync(at('dist/cli'), { recursive: true, force: true })
  await Promise.all(
    stale.map(({ of, made, from }) =>
      of === 'terminal'
        ? build({ ...shared, ...terminal, entryPoints: { [path.basename(made, '.js')]: at(from) }, outdir: at(path.dirname(made)) })
        : build({ ...shared, entryPoints: [at(from)], outfile: at(made), packages: 'external', sourcemap: true }),
    ),
  )
}

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  logLevel: 'warning',
  absWorkingDir: root,
}

/**
 * The terminal program carries its packages, so that it runs by itself. Its screens and its reader of CSV are files of their
 * own, read only where they are used: help must come at once.
 */
const terminal = {
  splitting: true,
  chunkNames: 'cli/[name]-[hash]',
  minify: true,
  legalComments: 'none',
  // Of the screens' package, wanted only where its makers debug it.
  external: ['react-devtools-core'],
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  // Packages in the older form ask for Node's own modules by require.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
}

/** The folders of the packages that the terminal program carries, such as node_modules/ink. */
export async function packagesOfTerminal() {
  const { build } = await import('esbuild')
  const { from } = bundles.find(({ of }) => of === 'terminal')
  const { metafile } = await build({
    ...shared,
    ...terminal,
    entryPoints: [at(from)],
    outdir: at('dist'),
    write: false,
    metafile: true,
  })
  const folders = Object.keys(metafile.inputs).map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
  return new Set(folders.filter((folder) => folder !== undefined))
}

/** Runs a program quietly; what it printed is the fault's message when it fails. */
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
