import { configDefaults, defineConfig } from 'vitest/config'
import config, { systemTests } from './vitest.config.ts'

/** What takes several seconds a file: `npm run test:system`. */
export default defineConfig({ ...config, test: { ...config.test, include: systemTests, exclude: configDefaults.exclude } })
