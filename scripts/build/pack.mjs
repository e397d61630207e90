// `npm run pack`: three tarballs, the server, the terminal program and the client, each laid out in dist/packages first. `node scripts/build/pack.mjs
// NAME...` packs only those, and `--lay-out` stops before the tarballs: an image is built from the folder.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { npmEnvironment } from '../build-environment.mjs'
import { prepare } from '../prepare.mjs'
import { fromRoot, root } from '../root.mjs'
import { printToStderr } from '../steps.mjs'
import { bareMachinePackages, bundlePackedServer, packagesOf, unbundledPackages } from './bundle.mjs'
import { closure } from './closure.mjs'
import { writeBom } from './sbom.mjs'

const readJson = (name) => JSON.parse(readFileSync(fromRoot(name), 'utf8'))
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** Manifest fields that the packages publish; the other fields are only for building. */
const publishedFields = ({ name, version, description, license, type, engines }) => ({ name, version, description, license, type, engines })

/**
 * Packages with files for browsers that the server itself does not run. Only those files are bundled, without the packages'
 * dependencies.
 */
const sentToBrowsers = {
  'maplibre-gl': [
    'dist/maplibre-gl.mjs',
    'dist/maplibre-gl-shared.mjs',
    'dist/maplibre-gl-worker.mjs',
    'dist/maplibre-gl.css',
    'LICENSE.txt',
  ],
  redoc: ['bundles/redoc.standalone.js', 'LICENSE'],
}

/** The server as a package: npm installs the packages that it names. */
function layOutServer() {
  const browserPackages = Object.keys(sentToBrowsers)
  return layOutPackages('server', [...unbundledPackages, ...bareMachinePackages], browserPackages)
}

/** The server ready to run: only its packages are installed. */
async function layOutImage() {
  const folder = await layOutPackages('image', unbundledPackages, [])
  copy(folder, ['.npmrc'])
  execFileSync('npm', ['ci', '--loglevel=error'], {
    cwd: folder,
    env: npmEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  copyBrowserFiles(folder)
  return folder
}

/** The server: its packages are bundled, or named with the version of the lock. */
async function layOutPackages(layout, installed, carried) {
  await prepare({ bundled: ['terminal', 'console'] })
  const folder = emptyFolder(layout)
  const { dependencies, imports, ...manifest } = readJson('package.json')
  const packed = {
    ...publishedFields(manifest),
    bin: { [manifest.name]: 'dist/start.js', weather: 'dist/cli.js' },
    imports: only(imports, ['#domain/*', '#rest/*', '#migrations/*', '#console/*']),
    dependencies: only(dependencies, [...installed, ...carried]),
    bundleDependencies: carried,
  }
  const { packages, ...lock } = readJson('package-lock.json')
  const needed = closure(packages, '', installed)
  writeJson(path.join(folder, 'package.json'), packed)
  writeJson(path.join(folder, 'npm-shrinkwrap.json'), {
    ...lock,
    packages: { '': packed, ...only(packages, [...needed]), ...Object.fromEntries(carried.map((name) => bundled(packages, name))) },
  })
  copyBrowserFiles(folder)
  copy(folder, ['LICENSE', 'README.md', 'migrations', 'dist/cli.js', 'dist/cli', 'dist/console', ...readAtRunTime()])
  const inside = await bundlePackedServer(path.join(folder, 'dist'))
  const browserClosure = closure(packages, '', Object.keys(sentToBrowsers))
  const inConsole = await packagesOf('console')
  await writeBom(path.join(folder, 'dist/sbom.cdx.json'), (name) =>
    [inside, needed, browserClosure, inConsole].some((folders) => folders.has(name)),
  )
  return folder
}

const only = (record, names) => Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

/** Marks a package of a lock as bundled in another package's tarball. */
function bundled(packages, name) {
  const { version, license } = packages[`node_modules/${name}`]
  return [`node_modules/${name}`, { version, license, inBundle: true }]
}

/** Copies files for browsers to where the pages expect them, as packages with only those files. */
function copyBrowserFiles(folder) {
  for (const [name, files] of Object.entries(sentToBrowsers)) {
    const packageFolder = `node_modules/${name}`
    const { version, license, exports } = readJson(`${packageFolder}/package.json`)
    mkdirSync(path.join(folder, packageFolder), { recursive: true })
    writeJson(path.join(folder, packageFolder, 'package.json'), { name, version, license, exports })
    copy(
      folder,
      files.map((file) => `${packageFolder}/${file}`),
    )
  }
}

/** Pages, threads and examples are read from their own files; the rest of the sources is bundled. */
function readAtRunTime() {
  return ['domain', 'rest'].flatMap((folder) =>
    readdirSync(fromRoot(folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !file.name.endsWith('.ts'))
      .map((file) => path.relative(root, path.join(file.parentPath ?? file.path, file.name))),
  )
}

/** The terminal program: it bundles its packages, and lists them with versions and licences. */
async function layOutTerminal() {
  await prepare({ bundled: ['terminal'] })
  const folder = emptyFolder('terminal')
  writeJson(path.join(folder, 'package.json'), { ...publishedFields(readJson('cli/package.json')), bin: { weather: 'cli.js' } })
  copy(folder, ['LICENSE'])
  for (const name of ['cli.js', 'cli']) cpSync(fromRoot(`dist/${name}`), path.join(folder, name), { recursive: true })
  const bundledPackages = await packagesOf('terminal')
  await writeBom(path.join(folder, 'cli.cdx.json'), (name) => bundledPackages.has(name))
  return folder
}

/** The client: its sources as JavaScript and their types; npm installs the one package that it needs. */
async function layOutClient() {
  await prepare({ bundled: [], tools: true })
  const folder = emptyFolder('client')
  const { dependencies, ...manifest } = readJson('clients/typescript/package.json')
  const exports = { types: './index.d.ts', default: './index.js' }
  writeJson(path.join(folder, 'package.json'), { ...publishedFields(manifest), sideEffects: false, exports, dependencies })
  const compiler = fromRoot('node_modules/typescript/lib/tsc.js')
  execFileSync(process.execPath, [compiler, '-p', fromRoot('clients/typescript'), '--outDir', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  copy(folder, ['LICENSE'])
  for (const name of ['README.md', 'contract.d.ts']) cpSync(fromRoot(`clients/typescript/${name}`), path.join(folder, name))
  return folder
}

function emptyFolder(name) {
  const folder = fromRoot(`dist/packages/${name}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

function copy(folder, names) {
  for (const name of names) cpSync(fromRoot(name), path.join(folder, name), { recursive: true })
}

const layouts = { server: layOutServer, terminal: layOutTerminal, client: layOutClient, image: layOutImage }

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'lay-out': { type: 'boolean', default: false } } })
printToStderr()
for (const name of positionals.length ? positionals : ['server', 'terminal', 'client']) {
  const folder = await layouts[name]()
  if (!values['lay-out'])
    execFileSync('npm', ['pack', folder], { cwd: root, env: npmEnvironment(process.env), stdio: ['ignore', 'inherit', 'inherit'] })
}
