import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { at } from './root.mjs'

/** What is bundled: the file made, the folder of its pieces, the file it begins in, and the folders it is made of. */
export const bundles = {
  server: { made: 'dist/serve.js', pieces: 'dist/parts', from: 'serve.ts', folders: ['domain', 'graphql', 'rest', 'workers', 'generated'] },
  terminal: { made: 'dist/cli.js', pieces: 'dist/cli', from: 'cli/main.tsx', folders: ['cli', 'clients/typescript'] },
  console: { made: 'dist/console/main.js', pieces: 'dist/console', from: 'console/main.tsx', folders: ['console'] },
}

/** What every bundle is made by: its packages are inside. */
const MAKING = ['package.json', 'package-lock.json', 'scripts/bundles.mjs', 'scripts/build/bundle.mjs']

/** Whether a bundle is newer than everything it is made of. */
export function isFresh(name) {
  const { made, from, folders } = bundles[name]
  if (!existsSync(at(made))) return false
  const built = statSync(at(made)).mtimeMs
  const sources = folders.flatMap((folder) => readdirSync(at(folder), { recursive: true }).map((file) => path.join(folder, String(file))))
  return [from, ...MAKING, ...sources].every((file) => statSync(at(file)).mtimeMs < built)
}
