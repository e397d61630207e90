import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpoints } from '#rest/endpoints.ts'
import { openRest } from '#test/support/api.ts'
import { openWorld } from '#test/support/world.ts'

const model = readFileSync('SECURITY.md', 'utf8')
const named = new Set([...model.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string))

/** Paths outside the contract. */
const otherPaths = [
  '/exports/{file}',
  '/graphql',
  '/ogc/{path}',
  '/swaths/{date}.geojson',
  '/operator/archive/{source}',
  '/operator/archive/records.{format}',
  '/operator/basemap',
  '/metrics',
  '/mcp',
  '/storms/{date}.csv',
  '/sources/{sha256}',
  '/log/checkpoint',
  '/log/tile/{path}',
  '/alerts/stop/{token}',
  '/alerts/confirm/{token}',
  '/app',
  '/verify',
  '/verify/{fingerprint}',
  '/.well-known/jwks.json',
  '/download/{token}',
  '/map',
  '/map/ground/{z}/{x}/{y}.mvt',
  '/map/basemap.json',
  '/docs',
  '/docs/reference',
  '/docs/openapi.json',
  '/healthz',
  '/readyz',
]

it('the threat model names every kind of route that is served', async () => {
  const world = await openWorld()
  const rest = await openRest(world)
  // A line of each route without a shorter one before it: "    ├── log/checkpoint (GET, HEAD)".
  const routes = [...rest.fastify.printRoutes({ commonPrefix: false }).matchAll(/^ {4}[├└]── ([\w.-]+)/gm)].map(([, name]) => `/${name}`)
  await rest.close()
  const kinds = [...new Set(routes)].filter((path) => !['/api', '/favicon.ico'].includes(path))
  expect(kinds.length).toBeGreaterThan(15)
  expect(kinds.filter((path) => ![...named].some((one) => one === path || one.startsWith(`${path}/`)))).toEqual([])
})

it('the threat model names every endpoint', () => {
  const paths = [...endpoints.map(({ path }) => path || '/api/v1'), ...otherPaths]
  expect(paths.filter((path) => !named.has(path))).toEqual([])
})

it('every test that the threat model names exists', () => {
  const tests = [...named].filter((word) => word.startsWith('test/'))
  expect(tests.length).toBeGreaterThan(20)
  expect(tests.filter((file) => !existsSync(file))).toEqual([])
})

it('every fault that a test causes is in the table with its promise', () => {
  const table = model.slice(model.indexOf('## What may fail')).split('\n## ')[0] as string
  const rows = table.split('\n').flatMap((line) => {
    const [, fault, promise, test] = line.split('|').map((cell) => cell.trim())
    return fault && promise && test ? [test] : []
  })
  for (const file of readdirSync('test/faults').filter((name) => name.endsWith('.faults.ts'))) {
    const tests = readFileSync(`test/faults/${file}`, 'utf8').match(/^ *it[.(]/gm)?.length ?? 0
    const named = rows.filter((test) => test === `\`test/faults/${file}\``).length
    expect({ file, named }).toEqual({ file, named: tests })
  }
})
