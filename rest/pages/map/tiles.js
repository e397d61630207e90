import { askInTime, fetchInTime } from '/map/api.js'

/** The URL scheme under which the map requests its tiles from this page. */
const SCHEME = 'archive'
const tilesUrl = `${SCHEME}://tiles/{z}/{x}/{y}.mvt`
/** The source of the archive's tiles: they are drawn with 512 pixels, and further in than the last zoom it is the last that is drawn. */
export const archive = { type: 'vector', tiles: [tilesUrl], maxzoom: 14 }
const DRAWN = { tileSize: 512, maxzoom: archive.maxzoom }
/** Up to this zoom a tile has only the strongest record of each spot; at higher zooms it has all records. */
const THINNED_ZOOM_MAX = 9

/** From this zoom on, a tile has the warnings, too. */
const WARNINGS_ZOOM_MIN = 6

/** The last error status of a tile by its path; 0 if no response arrived, or only a part. */
const failed = new Map()
/** Whether the basemap of this page was replaced or removed: the addresses of its tiles contain its version. */
let isGone = false

/**
 * Fetches the tiles of the map here. When the rate limit of the token is reached, a tile waits as long as the service states and is
 * requested again, until it arrives or leaves the view.
 * @param onWait is given the seconds of each wait
 */
export function serveTiles(maplibre, onWait) {
  maplibre.addProtocol(SCHEME, async ({ url }, { signal }) => {
    const path = url.slice(`${SCHEME}://`.length)
    const noteUnlessAborted = (fault) => {
      if (!signal.aborted) failed.set(path, 0)
      throw fault
    }
    // The service lets a browser keep a tile for an hour. Warnings are issued and cancelled within minutes: the ETag saves the bytes.
    const cache = hasWarnings({ z: Number(path.split('/')[1]) }) ? 'no-cache' : 'default'
    const answer = await askInTime(`/api/v1/${path}`, { signal, onWait, cache }).catch(noteUnlessAborted)
    if (!answer.ok) {
      failed.set(path, answer.status)
      throw Object.assign(new Error(`The service responded with ${answer.status}.`), { status: answer.status })
    }
    const data = await answer.arrayBuffer().catch(noteUnlessAborted)
    failed.delete(path)
    return { data }
  })
  // Tiles of the packaged ground and of the service's basemap load the same way, without a token.
  for (const scheme of ['ground', 'basemap'])
    maplibre.addProtocol(scheme, async ({ url }, { signal }) => {
      const answer = await fetchInTime(`/map/${url.replace('://', '/')}`, { signal })
      if (answer.status === 404 && scheme === 'basemap') isGone = true
      // Without its status: MapLibre takes a 404 for an empty tile.
      if (!answer.ok) throw new Error(`The service responded with ${answer.status}.`)
      return { data: await answer.arrayBuffer() }
    })
}

export const isBasemapGone = () => isGone

const hasWarnings = ({ z }) => z >= WARNINGS_ZOOM_MIN

const inView = (map) => map.coveringTiles(DRAWN).map(({ canonical }) => canonical)

/** Returns whether the view is so wide that its tiles do not contain every record. */
export const isThinned = (map) => inView(map).some(({ z }) => z <= THINNED_ZOOM_MAX)

/** Whether no tile of the view has warnings, because it is so wide. */
export const isTooWideForWarnings = (map) => !inView(map).some(hasWarnings)

/** Requests the tiles in view that have warnings again. */
export function reloadWarnings(map) {
  const tiles = inView(map).filter(hasWarnings)
  if (tiles.length > 0) map.refreshTiles('archive', tiles)
}

/** Returns the tiles in view that failed to load, each with its status. */
export function failedTiles(map) {
  return inView(map).flatMap(({ z, x, y }) => {
    const status = failed.get(`tiles/${z}/${x}/${y}.mvt`)
    return status === undefined ? [] : [{ z, x, y, status }]
  })
}
