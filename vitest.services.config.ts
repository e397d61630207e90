import path from 'node:path'
import { defineConfig } from 'vitest/config'
import config, { scratch } from './vitest.config.ts'

const here = (file: string) => path.join(import.meta.dirname, 'test/services', file)

const aliases = config.resolve?.alias as { find: RegExp; replacement: string }[]

/** Tests that move a clock, set a limit or look at jobs before they are done: what only a world of one process allows. */
const fromInside = [
  'the rate limit holds on every endpoint',
  'shows every key, whether a storm day or a warning',
  'takes its address, its radius and the whole of what the plan reaches',
  'makes fifty requests at once one report and one charge',
  'is moved from any to any, and the watch with it',
]

/**
 * The contract's tests and the journeys of programs against the production shape, run as processes on PostgreSQL and Redis: the same
 * files, over worlds that are the running service. A journey at the desk needs settings and a clock of its own.
 */
export default defineConfig({
  ...config,
  resolve: {
    alias: [
      ...aliases,
      { find: '#test/support/world.ts', replacement: here('world.ts') },
      { find: '#test/support/api.ts', replacement: here('api.ts') },
    ],
  },
  test: {
    ...config.test,
    include: [
      'test/services/*.services.ts',
      'test/journeys/{keeping-a-book-of-properties,watching-a-territory}.test.ts',
      'test/rest/{contract,states,idempotency,properties,territories,exposures,integrations,maps}.test.ts',
    ],
    testNamePattern: new RegExp(`^(?!.*(${fromInside.join('|')}))`),
    globalSetup: [scratch, 'test/services/setup.ts'],
    maxWorkers: 1,
    hookTimeout: 60_000,
    testTimeout: 120_000,
  },
})
