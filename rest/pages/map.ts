import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { App } from '#domain/app.ts'
import type { Config } from '#domain/kernel/config.ts'
import { type PageFiles, serveFiles } from '#rest/pages/files.ts'
import { mapVocabulary } from '#rest/pages/map-vocabulary.ts'

const require = createRequire(import.meta.url)

/** Nothing from elsewhere, nothing inline: the page holds a token. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Beside this folder's name in package.json, from the source and from the bundle alike. */
const own = (name: string) => readFile(fileURLToPath(import.meta.resolve(`#rest/pages/map/${name}`)))
const maplibre = (name: string) => readFile(require.resolve(`maplibre-gl/dist/${name}`))

const files: PageFiles = {
  '/map/map.js': { type: 'text/javascript; charset=utf-8', read: () => own('map.js') },
  '/map/around.js': { type: 'text/javascript; charset=utf-8', read: () => own('around.js') },
  '/map/api.js': { type: 'text/javascript; charset=utf-8', read: () => own('api.js') },
  '/map/legend.js': { type: 'text/javascript; charset=utf-8', read: () => own('legend.js') },
  '/map/missing.js': { type: 'text/javascript; charset=utf-8', read: () => own('missing.js') },
  '/map/page.js': { type: 'text/javascript; charset=utf-8', read: () => own('page.js') },
  '/map/player.js': { type: 'text/javascript; charset=utf-8', read: () => own('player.js') },
  '/map/record.js': { type: 'text/javascript; charset=utf-8', read: () => own('record.js') },
  '/map/style.js': { type: 'text/javascript; charset=utf-8', read: () => own('style.js') },
  '/map/tiles.js': { type: 'text/javascript; charset=utf-8', read: () => own('tiles.js') },
  '/map/team.js': { type: 'text/javascript; charset=utf-8', read: () => own('team.js') },
  '/map/vocabulary.js': { type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(mapVocabulary()) },
  '/map/map.css': { type: 'text/css; charset=utf-8', read: () => own('map.css') },
  '/map/maplibre-gl.mjs': { type: 'text/javascript; charset=utf-8', read: () => maplibre('maplibre-gl.mjs') },
  '/map/maplibre-gl-shared.mjs': { type: 'text/javascript; charset=utf-8', read: () => maplibre('maplibre-gl-shared.mjs') },
  '/map/maplibre-gl-worker.mjs': { type: 'text/javascript; charset=utf-8', read: () => maplibre('maplibre-gl-worker.mjs') },
  '/map/maplibre-gl.css': { type: 'text/css; charset=utf-8', read: () => maplibre('maplibre-gl.css') },
  '/map/states.json': { type: 'application/json; charset=utf-8', read: () => borders('states') },
  '/map/counties.json': { type: 'application/json; charset=utf-8', read: () => borders('counties') },
}

/** The page that looks at the archive's tiles, with all that it is made of: from packages, never from another host. */
export function mountMapPage(fastify: FastifyInstance, { config }: Pick<App, 'config'>): void {
  const page: PageFiles[string] = {
    type: 'text/html; charset=utf-8',
    read: () => own('index.html'),
    leadsTo: (query) => inConsole(config, query),
  }
  serveFiles(fastify, { '/map': page, ...files }, POLICY)
}

/**
 * Posts name what happened as /map?exposure=ID, and the page a place as /map?report=LATITUDE,LONGITUDE: people look at the one and order
 * the other in the console, once they are signed in.
 */
function inConsole({ console_url }: Pick<Config, 'console_url'>, query: unknown): string | null {
  const { exposure, report } = query as { exposure?: unknown; report?: unknown }
  if (typeof exposure === 'string' && EXPOSURE_ID.test(exposure)) return `${console_url}/exposures/${exposure}`
  if (typeof report !== 'string' || !COORDINATES.test(report)) return null
  return `${console_url}/reports/new?${new URLSearchParams({ address: report.replace(',', ', ') })}`
}

const EXPOSURE_ID = /^\d{1,10}$/
/** Degrees north, degrees east. */
const COORDINATES = /^-?\d{1,2}(\.\d{1,6})?,-?\d{1,3}(\.\d{1,6})?$/

/** Lines of the Census Bureau's borders, each drawn once. */
async function borders(name: 'states' | 'counties'): Promise<Buffer> {
  const topology = JSON.parse(await readFile(require.resolve('us-atlas/counties-10m.json'), 'utf8')) as Topology
  return Buffer.from(JSON.stringify(mesh(topology, topology.objects[name] as GeometryCollection)))
}
