import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { fromRoot, root } from '../root.mjs'

/** The list of some hundred packages, with licences and hashes, takes about a megabyte. */
const PRINTED_MAX_BYTES = 64 * 1024 * 1024

/**
 * Writes the list of the lock's packages that are distributed.
 * @param {string} file
 * @param {(folder: string) => boolean} isDistributed whether the package of a folder is included, such as node_modules/pg
 */
export async function writeBom(file, isDistributed) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: PRINTED_MAX_BYTES })
  const bom = JSON.parse(stdout)
  const distributed = new Set([bom.metadata.component['bom-ref'], ...packagesOf(isDistributed)])
  const components = bom.components.filter((component) => distributed.has(component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => distributed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => distributed.has(other)) }))
  // npm uses the name of the folder.
  const [name] = bom.metadata.component['bom-ref'].split('@')
  const metadata = { ...bom.metadata, component: { ...bom.metadata.component, name } }
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...bom, metadata, components: components.map(asDistributed), dependencies }, null, 2)}\n`)
}

/** References of the included packages in npm's form: name and version. A package may have several versions. */
function packagesOf(isDistributed) {
  const { packages } = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([folder]) => folder !== '' && isDistributed(folder))
    .map(([folder, { name, version }]) => `${name ?? folder.split('node_modules/').at(-1)}@${version}`)
}

/** The manifest lists bundled packages as devDependencies: users of the bundle need not install them. */
const asDistributed = ({ properties, ...component }) => ({
  ...component,
  scope: 'required',
  properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
})
