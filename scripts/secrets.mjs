import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { replaceDurably } from './durable-file.mjs'

/**
 * Returns the keys of an installation on embedded defaults. They are created at its first start and stored in its state folder, readable
 * only by its owner.
 * @param {string} home state folder
 * @returns {{ WEATHER_SECRET_KEY: string, WEATHER_OPERATOR_KEY: string }}
 */
export function readSecrets(home) {
  const file = path.join(home, 'secrets.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const secrets = {
    WEATHER_SECRET_KEY: randomBytes(32).toString('base64'),
    WEATHER_OPERATOR_KEY: `wo_${randomBytes(24).toString('base64url')}`,
  }
  replaceDurably(file, JSON.stringify(secrets, null, 2))
  return secrets
}
