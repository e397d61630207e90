// What is packed is the terminal program alone: built first, without the pieces of builds before.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'
import { speakOnStderr } from './steps.mjs'

speakOnStderr()
for (const name of ['dist/cli.js', 'dist/cli']) rmSync(path.join(root, name), { recursive: true, force: true })
await prepare({ bundled: 'terminal' })
