import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Proofs that take a minute or more each, one after the other, for each has a service of its own: `npm run test:faults`. */
export default defineConfig({ ...config, test: { ...config.test, include: ['test/faults/**/*.faults.ts'], maxWorkers: 1 } })
