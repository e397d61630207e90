import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sync } from '../../cli/commands/archive.ts'

test('a sync waits as long as the service takes for the import', async () => {
  const server = http.createServer((_request, response) => response.end('{"data":{"archiveSync":{"up_to_date":false,"imports":[]}}}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => {
    server.close()
    vi.restoreAllMocks()
  })
  const connection = { url, token: null, operator_key: 'wo_any' }
  await sync('storm-events', { year: 2024 }, { connection, output: 'table', yes: false, is_interactive: false })
  expect([printed.mock.calls, timeout.mock.calls]).toEqual([[['(none)\n']], []])
})
