import { defineConfig } from 'vitest/config'
import config, { scratch, setup } from './vitest.config.ts'

/**
 * Proofs that take a minute or more each, most of it waiting, two at a time, each with a service of its own: `npm run test:faults`. Their
 * processes open the servers of a fleet by themselves (support/shape.ts); what they prepare beforehand needs none.
 */
export default defineConfig({
  ...config,
  test: { ...config.test, globalSetup: [scratch, setup], include: ['test/faults/**/*.faults.ts'], maxWorkers: 2 },
})
