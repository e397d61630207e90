import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '#domain/kernel/config.ts'

/** Returns a config for a test or a tool that needs no environment. */
export function configFor(overrides: Partial<Config> & Pick<Config, 'database_url'>): Config {
  const defaults = readConfig({
    DATABASE_URL: overrides.database_url,
    WEATHER_SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'silent',
  })
  return { ...defaults, ...overrides }
}
