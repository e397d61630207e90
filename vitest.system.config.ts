import { configDefaults, defineConfig } from 'vitest/config'
import config, { systemTests } from './vitest.config.ts'

/** What takes several seconds a file: `npm run test:system`. */
export default defineConfig({
  ...config,
  // Journeys wait for a browser and for processes of their own: a third worker uses what two leave.
  test: { ...config.test, include: systemTests, exclude: configDefaults.exclude, maxWorkers: 3 },
})
