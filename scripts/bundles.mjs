import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fromRoot } from './root.mjs'

/** The bundles: output file, folder of its chunks, entry file, and source folders. */
export const bundles = {
  server: { made: 'dist/serve.js', pieces: 'dist/parts', from: 'serve.ts', folders: ['domain', 'graphql', 'rest', 'workers', 'generated'] },
  terminal: { made: 'dist/cli.js', pieces: 'dist/cli', from: 'cli/main.tsx', folders: ['cli', 'clients/typescript'] },
  console: { made: 'dist/console/main.js', pieces: 'dist/console', from: 'console/main.tsx', folders: ['console'] },
}

/** Files that affect every bundle: the build scripts, and the lock of the bundled packages. */
const BUILD_INPUTS = ['package.json', 'package-lock.json', 'scripts/bundles.mjs', 'scripts/build/bundle.mjs']

/** Whether a bundle is newer than all of its sources. */
export function isFresh(name) {
  const { made, from, folders } = bundles[name]
  if (!existsSync(fromRoot(made))) return false
  const built = statSync(fromRoot(made)).mtimeMs
  const sources = folders.flatMap((folder) =>
    readdirSync(fromRoot(folder), { recursive: true }).map((file) => path.join(folder, String(file))),
  )
  return [from, ...BUILD_INPUTS, ...sources].every((file) => statSync(fromRoot(file)).mtimeMs < built)
}
