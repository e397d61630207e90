// What is packed is the terminal program alone, built first where that is needed.
import { prepare } from './prepare.mjs'
import { speakOnStderr } from './steps.mjs'

speakOnStderr()
await prepare({ bundled: 'terminal' })
