#!/usr/bin/env node
// Starts the packed server, as `npm start` does in a clone, with its packages installed and its programs built. It stores its state in
// the working folder.
import { checkNode, stateFolder } from './root.mjs'
import { startService } from './service.mjs'

try {
  checkNode()
  process.exitCode = await startService(process.argv.slice(2), { home: stateFolder(), program: 'weather' })
} catch (fault) {
  console.error(fault.message)
  process.exitCode = 1
}
