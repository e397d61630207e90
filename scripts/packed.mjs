#!/usr/bin/env node
// The packed server: what `npm start` is to a clone, with its packages installed and its programs built. It keeps its state in the
// folder in which it is started.
import { checkNode, stateFolder } from './root.mjs'
import { startService } from './service.mjs'

try {
  checkNode()
  process.exitCode = await startService(process.argv.slice(2), { home: stateFolder(), program: 'weather' })
} catch (fault) {
  console.error(fault.message)
  process.exitCode = 1
}
