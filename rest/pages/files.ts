import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { acceptsEncoding } from '#rest/encoding.ts'
import { clientHas, weakEntityTag } from '#rest/entity-tag.ts'

const gzip = promisify(gzipCallback)

/** The files of a page by their paths. */
export type PageFiles = Record<
  string,
  {
    type: string
    read(): Promise<Buffer>
    /** Returns the address to redirect a query to; null to serve the file. */
    redirectUrlOf?(query: unknown): string | null
  }
>

/** Serves the files of a page with its Content-Security-Policy. A file is read and compressed on its first request. */
export function serveFiles(fastify: FastifyInstance, files: PageFiles, policy: string): void {
  for (const [url, { type, read, redirectUrlOf }] of Object.entries(files)) {
    let cached: Promise<CachedFile> | undefined
    fastify.get(url, async (request, reply) => {
      const redirectUrl = redirectUrlOf?.(request.query)
      if (redirectUrl) return reply.redirect(redirectUrl, 302)
      cached ??= readCompressed(read).catch((fault) => {
        // The next request tries again.
        cached = undefined
        throw fault
      })
      const { plain, gzipped, etag } = await cached
      reply.headers({
        etag,
        vary: 'accept-encoding',
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      })
      if (clientHas(request, etag)) return reply.code(304).send()
      if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.type(type).send(plain)
      return reply.type(type).header('content-encoding', 'gzip').send(gzipped)
    })
  }
}

interface CachedFile {
  plain: Buffer
  gzipped: Buffer
  /** Weak: it identifies the plain and the gzipped form. */
  etag: string
}

async function readCompressed(read: () => Promise<Buffer>): Promise<CachedFile> {
  const plain = await read()
  return { plain, gzipped: await gzip(plain), etag: weakEntityTag(plain) }
}
