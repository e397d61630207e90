import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, in a clone and in a packed server. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Oldest Node.js that every package runs on. */
const OLDEST_NODE = [20, 19]

/** @throws Error if this Node.js is too old */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  throw new Error(`Node.js ${OLDEST_NODE.join('.')} or later is needed; this is ${process.versions.node}`)
}

/** A file of the project, by its path from the root. */
export const fromRoot = (name) => path.join(root, name)

/**
 * Returns the state folder: WEATHER_HOME, or the content of the file that WEATHER_HOME_FILE names.
 * @throws Error if that file cannot be read
 */
export function stateFolder() {
  const { WEATHER_HOME, WEATHER_HOME_FILE } = process.env
  if (WEATHER_HOME || !WEATHER_HOME_FILE) return path.resolve(WEATHER_HOME || '.weather')
  try {
    return path.resolve(readFileSync(WEATHER_HOME_FILE, 'utf8').replace(/\r?\n$/, '') || '.weather')
  } catch (fault) {
    throw new Error(
      `WEATHER_HOME_FILE ${WEATHER_HOME_FILE} cannot be read: ${fault.code === 'ENOENT' ? 'there is no such file' : fault.code}`,
    )
  }
}
