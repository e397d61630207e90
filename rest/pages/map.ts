import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import type { Config } from '#domain/kernel/config.ts'
import { mountBasemap } from '#rest/pages/basemap.ts'
import { type PageFiles, serveFiles } from '#rest/pages/files.ts'
import { mountGround } from '#rest/pages/ground.ts'
import { mapVocabulary } from '#rest/pages/map-vocabulary.ts'

const require = createRequire(import.meta.url)

/** Allows nothing from other hosts and nothing inline, because the page holds a token. Tiles may come from the one host in the setting BASEMAP. */
const policyOf = ({ basemap }: Pick<Config, 'basemap'>) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...(basemap?.kind === 'tiles' ? [basemap.origin] : [])].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Reads a file of this folder, by its name in package.json: this works from the source and from the bundle. */
const readMapFile = (name: string) => readFile(fileURLToPath(import.meta.resolve(`#rest/pages/map/${name}`)))
const readMaplibreFile = (name: string) => readFile(require.resolve(`maplibre-gl/dist/${name}`))

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const STYLE_TYPE = 'text/css; charset=utf-8'

/** The page's own scripts, by subject. */
const scripts = [
  'api',
  'around',
  'basemap',
  'faults',
  'ground',
  'legend',
  'link',
  'made-up',
  'map',
  'measure',
  'missing',
  'page',
  'player',
  'position',
  'record',
  'search',
  'shades',
  'style',
  'swaths',
  'team',
  'tiles',
  'times',
  'view',
  'warnings',
]
const sheets = ['map', 'legend', 'over', 'controls', 'print']
/** The map draws names in the font of the page. */
const readInterFont = (weight: number) => readFile(require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`))

const files: PageFiles = {
  ...Object.fromEntries(scripts.map((name) => [`/map/${name}.js`, { type: SCRIPT_TYPE, read: () => readMapFile(`${name}.js`) }])),
  ...Object.fromEntries(sheets.map((name) => [`/map/${name}.css`, { type: STYLE_TYPE, read: () => readMapFile(`${name}.css`) }])),
  ...Object.fromEntries(
    [400, 600].map((weight) => [`/map/inter-${weight}.woff2`, { type: 'font/woff2', read: () => readInterFont(weight) }]),
  ),
  ...Object.fromEntries(
    ['', '-shared', '-worker']
      .map((part) => `maplibre-gl${part}.mjs`)
      .map((name) => [`/map/${name}`, { type: SCRIPT_TYPE, read: () => readMaplibreFile(name) }]),
  ),
  '/map/maplibre-gl.css': { type: STYLE_TYPE, read: () => readMaplibreFile('maplibre-gl.css') },
  '/map/vocabulary.js': { type: SCRIPT_TYPE, read: async () => Buffer.from(mapVocabulary()) },
}

/** Mounts the map page with all of its files. They come from packages, never from another host. */
export function mountMapPage(fastify: FastifyInstance, app: App): void {
  const { config } = app
  const page: PageFiles[string] = {
    type: 'text/html; charset=utf-8',
    read: () => readMapFile('index.html'),
    redirectUrlOf: (query) => consoleUrlFor(config, query),
  }
  serveFiles(fastify, { '/map': page, ...files }, policyOf(config))
  mountGround(fastify)
  mountBasemap(fastify, app)
}

/**
 * Returns the console address for a link to the map, or null. Posts link to an exposure as /map?exposure=ID, and the map page to a place as
 * /map?report=LATITUDE,LONGITUDE: signed-in people view the exposure, or order the report, in the console.
 */
function consoleUrlFor({ console_url }: Pick<Config, 'console_url'>, query: unknown): string | null {
  const { exposure, report } = query as { exposure?: unknown; report?: unknown }
  if (typeof exposure === 'string' && EXPOSURE_ID.test(exposure)) return `${console_url}/exposures/${exposure}`
  if (typeof report !== 'string' || !COORDINATES.test(report)) return null
  return `${console_url}/reports/new?${new URLSearchParams({ address: report.replace(',', ', ') })}`
}

const EXPOSURE_ID = /^\d{1,10}$/
/** Latitude and longitude, in degrees. */
const COORDINATES = /^-?\d{1,2}(\.\d{1,6})?,-?\d{1,3}(\.\d{1,6})?$/
