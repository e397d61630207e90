// What is packed is the terminal program alone, built first where that is needed, with the list of the packages that it carries.
import { packagesOfTerminal, prepare } from './prepare.mjs'
import { writeBom } from './sbom.mjs'
import { speakOnStderr } from './steps.mjs'

speakOnStderr()
await prepare({ bundled: 'terminal' })
const carried = await packagesOfTerminal()
await writeBom('dist/cli.cdx.json', (folder) => carried.has(folder))
