import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { serveFiles } from '#rest/pages/files.ts'

it('a file of a page that could not be read once is read again at the next request', async () => {
  let reads = 0
  const read = async () => {
    if (++reads === 1) throw new Error('too many open files')
    return Buffer.from('export {}')
  }
  const server = fastify()
  serveFiles(server, { '/map/page.js': { type: 'text/javascript', read } }, "default-src 'none'")
  const seen: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) seen.push((await server.inject({ url: '/map/page.js' })).statusCode)
  expect([seen, reads]).toEqual([[500, 200, 200], 2])
})
