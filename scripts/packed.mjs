#!/usr/bin/env node
// The packed server: what `npm start` is to a clone, with its packages installed and its programs built. It keeps its state in the
// folder in which it is started.
import path from 'node:path'
import { checkNode } from './root.mjs'
import { startService } from './service.mjs'

try {
  checkNode()
  const home = path.resolve(process.env.WEATHER_HOME || '.weather')
  process.exitCode = await startService(process.argv.slice(2), { home, program: 'weather' })
} catch (fault) {
  console.error(fault.message)
  process.exitCode = 1
}
