import { configDefaults, defineConfig } from 'vitest/config'
import config, { systemTests } from './vitest.config.ts'

/** What takes several seconds a file: `npm run test:system`. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: systemTests,
    exclude: configDefaults.exclude,
    // What is waited for is browsers, terminals and clocks more than statements: a third worker uses what two leave of two processors.
    maxWorkers: 3,
  },
})
