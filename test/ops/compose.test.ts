import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { secretsOf, secretUsers } from './secret-users.ts'

interface Service {
  environment: Record<string, string>
  secrets: string[]
}

const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as { services: Record<string, Service> }

it.each(['migrate', 'api', 'worker', 'documents'])('the container %s has the secrets that its settings name, and no others', (name) => {
  const { environment, secrets } = services[name] as Service
  const named = Object.entries(environment).filter(
    ([setting, file]) => setting.endsWith('_FILE') && String(file).startsWith('/run/secrets/'),
  )
  expect(secrets.toSorted()).toEqual(named.map(([, file]) => path.basename(file)).sort())
  expect(Object.keys(secretUsers).filter((secret) => secrets.includes(secret))).toEqual(secretsOf(name))
})
