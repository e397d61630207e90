import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpoints } from '#rest/endpoints.ts'

const model = readFileSync('SECURITY.md', 'utf8')
const named = new Set([...model.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string))

/** What is mounted beside the contract. */
const beside = [
  '/graphql',
  '/operator/archive/{source}',
  '/metrics',
  '/verify/{fingerprint}',
  '/download/{token}',
  '/map',
  '/docs',
  '/docs/reference',
  '/docs/openapi.json',
  '/healthz',
  '/readyz',
]

it('the threat model names every endpoint', () => {
  const paths = [...endpoints.map(({ path }) => path || '/api/v1'), ...beside]
  expect(paths.filter((path) => !named.has(path))).toEqual([])
})

it('every test that it names is there', () => {
  const tests = [...named].filter((word) => word.startsWith('test/'))
  expect(tests.length).toBeGreaterThan(20)
  expect(tests.filter((file) => !existsSync(file))).toEqual([])
})
