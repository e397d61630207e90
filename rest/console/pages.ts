import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { takes } from '#rest/encoding.ts'

/** Nothing from elsewhere, nothing inline, and in nobody's frame: whoever is signed in can do much here. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Without it a sign-in link's page could name itself to what it links to; the fragment is never sent.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Where the build puts the console, from the source and from the bundle alike. */
const folder = () => path.dirname(fileURLToPath(import.meta.resolve('#console/index.html')))

/** A name of the build's own: no path leads out of its folder. */
const ASSET = /^(?:parts\/)?[\w-]+\.(?:js|css|woff2)$/

/** Mounts the console: every address beneath /app is its one page, whose script knows the rest. */
export function mountConsole(fastify: FastifyInstance): void {
  const page = (request: FastifyRequest, reply: FastifyReply) => serve(request, reply, 'index.html', 'no-cache')
  fastify.get('/app', page)
  fastify.get('/app/*', page)
  fastify.get<{ Params: { '*': string } }>('/app/assets/*', (request, reply) => {
    const name = request.params['*']
    if (!ASSET.test(name)) return reply.callNotFound()
    // Parts are named for what is in them.
    return serve(request, reply, name, name.startsWith('parts/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
}

const pack = promisify(brotliCompress)
const made = new Map<string, Promise<{ plain: Buffer; packed: Buffer; etag: string } | null>>()

async function serve(request: FastifyRequest, reply: FastifyReply, name: string, caching: string): Promise<FastifyReply> {
  const held = made.get(name) ?? readAsset(name)
  made.set(name, held)
  const asset = await held
  if (!asset) return reply.callNotFound() ?? reply
  reply.headers({ ...headers, etag: asset.etag, vary: 'accept-encoding', 'cache-control': caching })
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  reply.type(types[path.extname(name)] ?? 'application/octet-stream')
  if (name.endsWith('.woff2') || !takes(request.headers['accept-encoding'], 'br')) return reply.send(asset.plain)
  return reply.header('content-encoding', 'br').send(asset.packed)
}

async function readAsset(name: string): Promise<{ plain: Buffer; packed: Buffer; etag: string } | null> {
  const plain = await readFile(path.join(folder(), name)).catch(() => null)
  if (!plain) return null
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(plain))).toString('base64url')
  return { plain, packed: await pack(plain), etag: `W/"${digest}"` }
}
