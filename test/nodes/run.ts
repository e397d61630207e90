import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * npm run test:nodes [-- --node 24 --node 26] [FILE...]
 * Runs npm test, or some of its files, on the Node.js version of the image, or on the versions named: the memory
 * that V8 takes and reserves differs between them. They come from the npm registry, in its package `node`, and are
 * installed in a temporary folder.
 */
const { values, positionals } = parseArgs({ options: { node: { type: 'string', multiple: true } }, allowPositionals: true })
const root = path.join(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(tmpdir(), 'weather-nodes-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

for (const version of values.node ?? [imageVersion()]) {
  const node = install(version)
  console.log(`Node.js ${execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()}`)
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` }
  const { status } = spawnSync(node, ['scripts/start.mjs', 'test', ...positionals], { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** The first number of the version in the Dockerfile. */
function imageVersion(): string {
  const version = /^ARG NODE_IMAGE=node:(\d+)/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8'))?.[1]
  if (!version) throw new Error('the Dockerfile names no version of Node.js')
  return version
}

/** @returns the path of its program */
function install(version: string): string {
  const folder = path.join(scratch, version)
  // The package's install script downloads the program for this system.
  execFileSync('npm', ['install', '--silent', '--no-save', '--ignore-scripts=false', '--prefix', folder, `node@${version}`], {
    stdio: 'inherit',
  })
  return path.join(folder, 'node_modules/node/bin/node')
}
