import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Proofs that take a minute or more each, most of it waiting, two at a time, each with a service of its own: `npm run test:faults`. */
export default defineConfig({ ...config, test: { ...config.test, include: ['test/faults/**/*.faults.ts'], maxWorkers: 2 } })
