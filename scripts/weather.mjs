#!/usr/bin/env node
// Runs the terminal program, after building it if needed. Output of the preparation goes to standard error.
import { prepare } from './prepare.mjs'
import { checkNode } from './root.mjs'
import { printToStderr } from './steps.mjs'

printToStderr()
try {
  checkNode()
  await prepare({ bundled: ['terminal'] })
} catch (fault) {
  console.error(fault.message)
  process.exit(1)
}
await import('../dist/cli.js')
