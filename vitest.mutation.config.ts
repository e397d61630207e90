import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The tests of one area of the pure core, without a database: `npm run test:mutation` names them and runs them for each mutant. */
export default defineConfig({
  ...config,
  test: {
    ...(process.env.MUTATION_TESTS && { include: process.env.MUTATION_TESTS.split(',') }),
    setupFiles: ['test/support/seed.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
})
