import { afterEach, beforeEach, expect, it } from 'vitest'
import { urlRanges } from '#domain/engines/byte-ranges.ts'
import { type Http, openHttp } from '#domain/engines/http.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let http: Http
let server: TestServer
beforeEach(async () => {
  http = openHttp({ contact: null })
  server = await startTestServer((request, response) => {
    const [first = 0, last = 0] = (request.headers.range ?? '').replace('bytes=', '').split('-').map(Number)
    if (request.url === '/inside') return response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    if (request.url === '/whole') return response.writeHead(200).end('0123456789')
    return response.writeHead(206).end('0123456789'.slice(first, request.url === '/more' ? undefined : last + 1))
  })
})
afterEach(async () => {
  await http.close()
  await server.close()
})

const read = (path: string) => urlRanges(http, `${server.url}${path}`).read(2, 3)

it('reads a part of a file on a web server', async () => {
  expect((await read('/us.pmtiles')).toString()).toBe('234')
})

it('refuses a server that sends the whole file, or more than was requested', async () => {
  await expect(read('/whole')).rejects.toThrow("the basemap's server responded with status 200 to a range request")
  await expect(read('/more')).rejects.toMatchObject({ reason: 'too_large' })
})

it('is not led to a metadata service by a redirect', async () => {
  await expect(read('/inside')).rejects.toMatchObject({ reason: 'forbidden' })
})
