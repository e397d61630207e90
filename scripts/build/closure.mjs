/**
 * Returns the packages that some packages of a lock need to run: their folders in the lock, such as node_modules/pg. Optional peers are
 * left out.
 * @param {Record<string, any>} packages of package-lock.json
 * @param {string} from folder of the package that names them, '' for the root
 * @param {string[]} names
 */
export function closure(packages, from, names) {
  const found = new Set()
  const waiting = names.map((name) => [from, name])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const folder = resolve(packages, ...next)
    if (!folder || found.has(folder)) continue
    found.add(folder)
    waiting.push(...needsOf(packages[folder]).map((name) => [folder, name]))
  }
  return found
}

function needsOf({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]
}

/** Resolves a package as Node.js does: inside the importing package, then beside it, and so on up to the root. */
function resolve(packages, from, name) {
  const folder = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (packages[folder]) return folder
  return from === '' ? null : resolve(packages, parentOf(from), name)
}

const parentOf = (folder) => folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
