import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, in a clone and in a packed server alike. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Oldest Node.js that every package runs on. */
const OLDEST_NODE = [20, 19]

/** @throws Error where this Node.js is too old */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  throw new Error(`Node.js ${OLDEST_NODE.join('.')} or later is needed; this is ${process.versions.node}`)
}

/** A file of the project, by its path from the root. */
export const at = (name) => path.join(root, name)
