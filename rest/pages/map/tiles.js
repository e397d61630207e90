import { askInTime, fetchInTime } from '/map/api.js'

/** The scheme under which the map asks this page for its tiles. */
const SCHEME = 'archive'
const tilesUrl = `${SCHEME}://tiles/{z}/{x}/{y}.mvt`
/** The source of the archive's tiles: they are drawn with 512 pixels, and further in than the last zoom it is the last that is drawn. */
export const archive = { type: 'vector', tiles: [tilesUrl], maxzoom: 14 }
const DRAWN = { tileSize: 512, maxzoom: archive.maxzoom }
/** Up to this zoom a tile keeps the strongest record of each of its spots; further in it has all of them. */
const THINNED_ZOOM_MAX = 9

/** The status with which a tile was refused last, by its path; 0 where no answer came, or not to its end. */
const failed = new Map()

/**
 * Has the map's tiles fetched here: where the token has asked too often in a minute, a tile waits as long as the service says
 * and is asked for again, until it comes or goes out of view.
 * @param onWait is given the seconds of each wait
 */
export function serveTiles(maplibre, onWait) {
  maplibre.addProtocol(SCHEME, async ({ url }, { signal }) => {
    const path = url.slice(`${SCHEME}://`.length)
    const noteUnlessAborted = (fault) => {
      if (!signal.aborted) failed.set(path, 0)
      throw fault
    }
    const answer = await askInTime(`/api/v1/${path}`, { signal, onWait }).catch(noteUnlessAborted)
    if (!answer.ok) {
      failed.set(path, answer.status)
      throw Object.assign(new Error(`The service answered ${answer.status}.`), { status: answer.status })
    }
    const data = await answer.arrayBuffer().catch(noteUnlessAborted)
    failed.delete(path)
    return { data }
  })
  // The packaged ground comes the same way, without a token.
  maplibre.addProtocol('ground', async ({ url }, { signal }) => {
    const answer = await fetchInTime(`/map/${url.replace('://', '/')}`, { signal })
    if (!answer.ok) throw Object.assign(new Error(`The service answered ${answer.status}.`), { status: answer.status })
    return { data: await answer.arrayBuffer() }
  })
}

const inView = (map) => map.coveringTiles(DRAWN).map(({ canonical }) => canonical)

/** Whether the view is so wide that not every record is in its tiles. */
export const isThinned = (map) => inView(map).some(({ z }) => z <= THINNED_ZOOM_MAX)

/** Tiles in view that did not come, with the status of each. */
export function failedTiles(map) {
  return inView(map).flatMap(({ z, x, y }) => {
    const status = failed.get(`tiles/${z}/${x}/${y}.mvt`)
    return status === undefined ? [] : [{ z, x, y, status }]
  })
}
