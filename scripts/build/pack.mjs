// `npm run pack`: two tarballs, the server and the terminal program, each laid out in dist/packages first. `node scripts/build/pack.mjs
// NAME...` packs those alone, and `--lay-out` stops before the tarballs, for an image.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { npmEnvironment } from '../build-environment.mjs'
import { prepare } from '../prepare.mjs'
import { at, root } from '../root.mjs'
import { speakOnStderr } from '../steps.mjs'
import { packagesOfTerminal } from './bundle.mjs'
import { closure } from './closure.mjs'
import { writeBom } from './sbom.mjs'

const readJson = (name) => JSON.parse(readFileSync(at(name), 'utf8'))
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** What both packages say of themselves; the rest of a manifest is for whoever builds it. */
const described = ({ name, version, description, license, type, engines }) => ({ name, version, description, license, type, engines })

const layOuts = { server: layOutServer, terminal: layOutTerminal }

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'lay-out': { type: 'boolean', default: false } } })
speakOnStderr()
for (const name of positionals.length ? positionals : Object.keys(layOuts)) {
  const folder = await layOuts[name]()
  if (!values['lay-out'])
    execFileSync('npm', ['pack', folder], { cwd: root, env: npmEnvironment(process.env), stdio: ['ignore', 'inherit', 'inherit'] })
}

/** The server: it names its packages, and the shrinkwrap each of theirs, so that everybody runs what was tested. */
async function layOutServer() {
  await prepare({ bundled: ['server', 'terminal', 'starter'] })
  const folder = emptyFolder('server')
  const { dependencies, imports, ...manifest } = readJson('package.json')
  const bin = { [manifest.name]: 'dist/start.js', weather: 'dist/cli.js' }
  const read = ['#domain/*', '#rest/*', '#migrations/*']
  const packed = {
    ...described(manifest),
    bin,
    imports: Object.fromEntries(Object.entries(imports).filter(([name]) => read.includes(name))),
    dependencies,
  }
  writeJson(path.join(folder, 'package.json'), packed)
  writeJson(path.join(folder, 'npm-shrinkwrap.json'), shrinkwrapOf(packed))
  copy(folder, [
    'LICENSE',
    'README.md',
    'migrations',
    'dist/serve.js',
    'dist/serve.js.map',
    'dist/start.js',
    'dist/cli.js',
    'dist/cli',
    ...readAtRunTime(),
  ])
  return folder
}

/** Pages, threads and examples are read where they lie; the rest of the sources is in the bundle. */
function readAtRunTime() {
  return ['domain', 'rest'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !file.name.endsWith('.ts'))
      .map((file) => path.relative(root, path.join(file.parentPath ?? file.path, file.name))),
  )
}

function shrinkwrapOf(manifest) {
  const { name, version, lockfileVersion, packages } = readJson('package-lock.json')
  const needed = closure(packages, '', Object.keys(manifest.dependencies))
  const kept = Object.entries(packages).filter(([folder]) => needed.has(folder))
  return { name, version, lockfileVersion, requires: true, packages: { '': manifest, ...Object.fromEntries(kept) } }
}

/** The terminal program: it carries its packages, and lists them with versions and licences. */
async function layOutTerminal() {
  await prepare({ bundled: ['terminal'] })
  const folder = emptyFolder('terminal')
  writeJson(path.join(folder, 'package.json'), { ...described(readJson('cli/package.json')), bin: { weather: 'cli.js' } })
  copy(folder, ['LICENSE'])
  for (const name of ['cli.js', 'cli']) cpSync(at(`dist/${name}`), path.join(folder, name), { recursive: true })
  const carried = await packagesOfTerminal()
  await writeBom(path.join(folder, 'cli.cdx.json'), (name) => carried.has(name))
  return folder
}

function emptyFolder(name) {
  const folder = at(`dist/packages/${name}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

function copy(folder, names) {
  for (const name of names) cpSync(at(name), path.join(folder, name), { recursive: true })
}
