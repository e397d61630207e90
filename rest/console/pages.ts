import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#domain/kernel/config.ts'
import { receiverFacts } from '#rest/console/receiving.ts'
import { acceptsEncoding } from '#rest/encoding.ts'
import { clientHas, weakEntityTag } from '#rest/entity-tag.ts'
import { serveFiles } from '#rest/pages/files.ts'

/**
 * Allows no foreign content, no inline code and no framing, because a signed-in person can do much here. Maps draw in a worker of our
 * own, and request another host only if the installation is set to a basemap of its own choice.
 */
function policyOf({ basemap_style_url, basemap_origins }: BasemapSettings): string {
  const basemap = basemap_style_url ? [new URL(basemap_style_url).origin, ...basemap_origins] : []
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // `blob:` is a file that the person chose, and that is shown before it is sent.
    ["img-src 'self' data: blob:", ...basemap].join(' '),
    ["connect-src 'self'", ...basemap].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

type BasemapSettings = Pick<Config, 'basemap_style_url' | 'basemap_origins'>

const pageHeaders = (policy: string) => ({
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Without it the page of a sign-in link could send its URL to the pages that it links to; the fragment is never sent.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

const require = createRequire(import.meta.url)

/** Folder of the built console, for the source and the bundle. */
const folder = () => path.dirname(fileURLToPath(import.meta.resolve('#console/index.html')))

/** File names that the build creates. None can lead out of its folder. */
const ASSET = /^(?:parts\/)?[\w-]+\.(?:js|css|woff2)$/

/** Files of the map package that browsers load. Its worker uses the policy of its own response, so it must be the console's. */
const MAP_ASSET = /^maplibre-gl(?:-shared|-worker)?\.mjs$|^maplibre-gl\.css$/

/**
 * Mounts the console: every URL under /app is its one page, whose script handles the rest. Browsers must not store the page
 * to show it again on "back": after a sign-out, another person may go back.
 */
export function mountConsole(fastify: FastifyInstance, { config }: { config: BasemapSettings & Pick<Config, 'base_url'> }): void {
  const headers = pageHeaders(policyOf(config))
  const page = (request: FastifyRequest, reply: FastifyReply) => serve(request, reply.headers(headers), 'index.html', 'no-store')
  fastify.get('/app', page)
  fastify.get('/app/*', page)
  const read = async () => Buffer.from(receiverFacts(config.base_url))
  serveFiles(fastify, { '/app/receiving.js': { type: 'text/javascript; charset=utf-8', read } }, "default-src 'none'")
  fastify.get<{ Params: { '*': string } }>('/app/assets/*', (request, reply) => {
    const name = request.params['*']
    if (!ASSET.test(name) && !MAP_ASSET.test(name)) return reply.callNotFound()
    // Chunk names contain a hash of their content.
    return serve(request, reply.headers(headers), name, name.startsWith('parts/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
}

const brotli = promisify(brotliCompress)
/** Only files that exist: clients choose the names. */
const assets = new Map<string, Promise<Asset | null>>()

interface Asset {
  plain: Buffer
  packed: Buffer
  etag: string
}

async function serve(request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string): Promise<FastifyReply> {
  const asset = await cachedAsset(name)
  if (!asset) return reply.callNotFound() ?? reply
  reply.headers({ etag: asset.etag, vary: 'accept-encoding', 'cache-control': cacheControl })
  if (clientHas(request, asset.etag)) return reply.code(304).send()
  reply.type(mediaTypes[path.extname(name)] ?? 'application/octet-stream')
  if (name.endsWith('.woff2') || !acceptsEncoding(request.headers['accept-encoding'], 'br')) return reply.send(asset.plain)
  return reply.header('content-encoding', 'br').send(asset.packed)
}

function cachedAsset(name: string): Promise<Asset | null> {
  const cached = assets.get(name)
  if (cached) return cached
  const reading = readAsset(name)
  assets.set(name, reading)
  const drop = () => assets.delete(name)
  reading.then((asset) => asset ?? drop(), drop)
  return reading
}

/** The file does not exist, or its name is longer than the file system allows. */
const ABSENT_CODES = ['ENOENT', 'ENAMETOOLONG']

async function readAsset(name: string): Promise<Asset | null> {
  const file = MAP_ASSET.test(name) ? require.resolve(`maplibre-gl/dist/${name}`) : path.join(folder(), name)
  const plain = await readFile(file).catch((fault: NodeJS.ErrnoException) => {
    if (ABSENT_CODES.includes(fault.code ?? '')) return null
    throw fault
  })
  if (!plain) return null
  return { plain, packed: await brotli(plain), etag: weakEntityTag(plain) }
}
