import { defineConfig } from 'vitest/config'

/** One PostgreSQL for the run, one database for each worker; modules are loaded once a worker, not once a file. */
export default defineConfig({
  // The bundler would take graphql's other build than Node gives the packages that share it: two copies refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/tidy.ts'],
    pool: 'forks',
    isolate: false,
    // Much of a test waits for PostgreSQL: two workers use two processors well, more would wait for each other.
    maxWorkers: 2,
    // Bounds for what hangs, with room for a machine that does much else: the first world of a worker loads the whole application.
    hookTimeout: 60_000,
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
