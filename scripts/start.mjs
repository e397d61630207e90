// Implements `npm start` and `npm test` in plain JavaScript that needs nothing installed, and prepares what the rest needs.
import { prepare } from './prepare.mjs'
import { checkNode, root, stateFolder } from './root.mjs'
import { runChild, startService } from './service.mjs'

process.chdir(root)
try {
  checkNode()
  const [first, ...rest] = process.argv.slice(2)
  process.exitCode = first === 'test' ? await test(rest) : await start(process.argv.slice(2))
} catch (fault) {
  console.error(fault.message)
  process.exitCode = 1
}

/** Prepares the clone and runs the tests, which start a PostgreSQL of their own. */
async function test(args) {
  await prepare({ bundled: [], tools: true })
  return runChild(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], process.env)
}

/** Prepares the clone and runs the service from it. */
function start(args) {
  return startService(args, { home: stateFolder(), program: 'npm run -s weather --', prepare: (signal) => prepare({ signal }) })
}
