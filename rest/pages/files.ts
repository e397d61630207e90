import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const gzip = promisify(gzipCallback)

/** The files of a page by their paths. */
export type PageFiles = Record<string, { type: string; read(): Promise<Buffer> }>

/** Serves a page's files, read and packed when first asked for, under the policy of what a browser may load for it. */
export function serveFiles(fastify: FastifyInstance, files: PageFiles, policy: string): void {
  for (const [url, { type, read }] of Object.entries(files)) {
    let made: Promise<{ body: Buffer; etag: string }> | undefined
    fastify.get(url, async (request, reply) => {
      made ??= packed(read)
      const { body, etag } = await made
      reply.headers({
        etag,
        vary: 'accept-encoding',
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(type).header('content-encoding', 'gzip').send(body)
    })
  }
}

async function packed(read: () => Promise<Buffer>): Promise<{ body: Buffer; etag: string }> {
  const body = await gzip(await read())
  return { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}
