import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { secretsOf, secretUsers } from './secret-users.ts'

interface Service {
  environment: Record<string, string>
  secrets: string[]
  dns_opt: string[]
  mem_limit: string
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

it.each(Object.entries(services))('the container %s asks a name server again long before its time to connect is over', (_, { dns_opt }) => {
  expect(dns_opt).toEqual(['timeout:1', 'attempts:3'])
})

/** MB of a limit as Compose or Kubernetes writes it. */
const megabytes = (limit: string) => Number.parseInt(limit, 10) * (/^\d+g/i.test(limit) ? 1024 : 1)

it('the browser and the heap of the process that prints fit into the memory of their container, in both layouts', () => {
  const [, heap] = /NODE_OPTIONS=--max-old-space-size=(\d+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  const manifest = readFileSync('ops/kubernetes/documents.yaml', 'utf8')
  const [, podBrowser] = /name: BROWSER_MEMORY_MB\n\s+value: '(\d+)'/.exec(manifest) ?? []
  const [, podLimit = ''] = /limits: \{ memory: (\w+) \}/.exec(manifest) ?? []
  const { environment, mem_limit } = services.documents as Service
  const [, browser] = /:-(\d+)\}$/.exec(environment.BROWSER_MEMORY_MB as string) ?? []
  // Buffers, threads, code, and what the browser writes to /tmp.
  const REST_MB = 256
  expect(megabytes(mem_limit)).toBeGreaterThanOrEqual(Number(browser) + Number(heap) + REST_MB)
  expect(megabytes(podLimit)).toBeGreaterThanOrEqual(Number(podBrowser) + Number(heap) + REST_MB)
})
