import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

/** Where Vitest keeps what modules become, in a file for each state of each module. */
const FOLDER = 'node_modules/.experimental-vitest-cache'
/** Bytes: several times what all modules take. */
const SIZE_MAX = 200 * 2 ** 20
/** By this file Vitest sees that the packages have changed. */
const METADATA = '_metadata.json'

/** Empties the cache of modules once it is too large, because Vitest never removes what a module was before a change. */
export function boundModuleCache(folder = FOLDER, sizeMax = SIZE_MAX): void {
  if (!existsSync(folder)) return
  const files = readdirSync(folder)
    .filter((name) => name !== METADATA)
    .map((name) => path.join(folder, name))
  const size = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  if (size > sizeMax) for (const file of files) rmSync(file, { force: true })
}
