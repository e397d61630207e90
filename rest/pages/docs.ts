import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#domain/kernel/config.ts'
import type { Api } from '#rest/exchange.ts'
import { buildOpenApi } from '#rest/openapi.ts'
import { type PageFiles, serveFiles } from '#rest/pages/files.ts'
import { guidePictures, readGuide, readPageFile } from '#rest/pages/guide.ts'

const require = createRequire(import.meta.url)

/** Allows nothing from other hosts. The package of the reference writes its styles into the page; scripts are files only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Mounts the start page, the guide, and the reference made from the API's description. They are public, because they contain no data of a team. */
export function mountDocs(fastify: FastifyInstance, api: Api): void {
  const pictures = guidePictures.map((name) => [
    `/docs/pictures/${name}.png`,
    { type: 'image/png', read: () => readPageFile(`pictures/${name}.png`) },
  ])
  const files: PageFiles = {
    ...Object.fromEntries(pictures),
    '/': { type: 'text/html; charset=utf-8', read: () => readHome(api.app.config) },
    '/docs': { type: 'text/html; charset=utf-8', read: readGuide },
    '/docs/reference': { type: 'text/html; charset=utf-8', read: () => readPageFile('reference.html') },
    '/docs/docs.css': { type: 'text/css; charset=utf-8', read: () => readPageFile('docs.css') },
    '/docs/reference.js': { type: 'text/javascript; charset=utf-8', read: () => readPageFile('reference.js') },
    '/docs/redoc.js': { type: 'text/javascript; charset=utf-8', read: readRedoc },
    '/docs/openapi.json': { type: 'application/json; charset=utf-8', read: async () => Buffer.from(JSON.stringify(buildOpenApi(api))) },
  }
  serveFiles(fastify, files, POLICY)
  // Browsers request an icon for documents and JSON too, which cannot name one.
  fastify.get('/favicon.ico', (_, reply) => reply.code(204).header('cache-control', 'public, max-age=86400').send())
}

/** Returns the start page. Its link to the console uses the host that accepts the console's cookie, which may be another name of this host. */
async function readHome({ console_url }: Pick<Config, 'console_url'>): Promise<Buffer> {
  return Buffer.from((await readPageFile('home.html')).toString().replace('href="/app"', () => `href="${console_url}"`))
}

/** The package shows its maker's badge, with a picture from the maker's host: the badge stays, without the picture. */
const BADGE = 'https://cdn.redoc.ly/redoc/logo-mini-full.svg'

async function readRedoc(): Promise<Buffer> {
  const script = await readFile(require.resolve('redoc/bundles/redoc.standalone.js'), 'utf8')
  return Buffer.from(script.replaceAll(BADGE, 'data:,'))
}
