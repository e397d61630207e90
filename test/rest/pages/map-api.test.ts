import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchInTime } from '../../../rest/pages/map/api.js'

const { any } = AbortSignal
let server: Server
let url: string
beforeAll(async () => {
  Reflect.deleteProperty(AbortSignal, 'any')
  // The response of the second address never finishes.
  server = createServer((request, response) => void (request.url === '/whole' ? response.end('whole') : response.write('begun')))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  Object.assign(AbortSignal, { any })
  server.closeAllConnections()
  server.close()
})

it('the map sends requests, and times out, in a browser without AbortSignal.any', async () => {
  const controller = new AbortController()
  const ask = (path: string) => fetchInTime(`${url}${path}`, { signal: controller.signal })
  expect(await (await ask('/whole')).text()).toBe('whole')
  const answer = await ask('/half')
  controller.abort(new Error('nobody wants it'))
  await expect(answer.text()).rejects.toThrow()
  await expect(ask('/whole')).rejects.toThrow('nobody wants it')
})
