import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The keys of an install on embedded defaults: made at its first start, kept for good in its state folder, for its owner's eyes only.
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
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  renameSync(draft, file)
  return secrets
}
