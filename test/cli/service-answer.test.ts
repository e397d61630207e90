import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { askService } from '../../cli/verify/service-answer.ts'

test('a service that was asked too often is not taken for something else', async () => {
  const server = http.createServer((_request, response) => response.writeHead(429).end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(askService(url, '0'.repeat(64))).rejects.toMatchObject({
    exit_status: 8,
    message: `${url} was asked too often. Try again in a minute.`,
  })
  server.closeAllConnections()
  server.close()
})
