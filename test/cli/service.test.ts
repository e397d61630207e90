import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, call, query } from '../../cli/service.ts'
import type { Connection } from '../../cli/settings.ts'

describe('a service that takes a call and never answers', () => {
  let server: Server
  let connection: Connection
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    connection = {
      url: `http://127.0.0.1:${port}`,
      token: 'wt_x',
      operator_key: null,
      patience: { within_ms: 100, pauses_ms: [] },
    }
  })
  afterAll(() => {
    server.close()
  })

  it.each([
    ['call', () => call(connection, { method: 'GET', path: '/account' })],
    ['query', () => query(connection, '{ account { name } }', {})],
    ['document', () => bytesOf(connection, '/reports/1/pdf')],
  ])('is given up: %s', async (_, asked) => {
    await expect(asked()).rejects.toThrow('no answer in time')
  })
})
