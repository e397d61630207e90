// `npm run check`: all checks that must pass before a change is committed. `-- --no-tests` skips the tests.
import { spawnSync } from 'node:child_process'
import { prepare } from './prepare.mjs'
import { root } from './root.mjs'

const node = (file, ...args) => [process.execPath, [file, ...args]]

const checks = {
  'style and import walls': node('node_modules/@biomejs/biome/bin/biome', 'check', '.'),
  // Tests import pages of the console, whose GraphQL documents use these types.
  "the schema's types for the console": node('node_modules/gql.tada/bin/cli.js', 'generate-output', '--tsconfig', 'console/tsconfig.json'),
  types: node('node_modules/typescript/bin/tsc'),
  'types of the console': node('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'console/tsconfig.json'),
  'nothing unused': node('node_modules/knip/bin/knip.js'),
  'packages distinguished': node('node_modules/knip/bin/knip.js', '--production', '--strict', '--dependencies'),
  ...(process.argv.includes('--no-tests') ? {} : { tests: node('node_modules/vitest/vitest.mjs', 'run') }),
}

process.chdir(root)
await prepare({ bundled: [], tools: true })
const failed = Object.entries(checks).filter(([name, [command, args]]) => {
  console.log(`\n${name}`)
  return spawnSync(command, args, { stdio: 'inherit' }).status !== 0
})
const passed = Object.keys(checks).length - failed.length
console.log(`\nchecks: ${passed} passed, ${failed.length} failed${failed.length ? ` (${failed.map(([name]) => name).join(', ')})` : ''}`)
process.exitCode = failed.length ? 1 : 0
