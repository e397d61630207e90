import { element } from '/map/page.js'
import { failedTiles, isBasemapGone } from '/map/tiles.js'

/** Ground sources of which a part failed to load. */
const broken = new Set()
/** Milliseconds until the page requests the ground again, and the number of such retries in a row. */
const AGAIN_MS = 3000
const AGAIN_MAX = 20
let again = 0
let timer = 0

const refusals = {
  401: 'The token is no longer valid: reload the page and enter another one.',
  403: 'This token lacks the ability maps:read.',
}

/** Shows a message of the service about the page as a whole. */
export function say(sentence, wrong = false) {
  const said = element('said')
  // A sentence written again would be read out again.
  if (said.textContent !== sentence) said.textContent = sentence
  said.classList.toggle('wrong', wrong)
}

/** Shows why the map is incomplete; nothing once it is complete. */
export function sayFault(map) {
  const failed = failedTiles(map)
  const refused = failed.find(({ status }) => refusals[status])
  if (refused) return say(refusals[refused.status], true)
  if (isBasemapGone()) return say('The basemap was replaced or removed: reload the page.', true)
  if (failed.length === 0 && broken.size === 0) {
    again = 0
    return say('')
  }
  say('A part of the map could not be loaded: move the map to try again.', true)
}

/** Watches for parts that failed to load, and requests them again when the map is moved or the network is back. */
export function watchFaults(map) {
  map.on('error', ({ sourceId }) => {
    const isGround = sourceId && sourceId !== 'archive' && map.getSource(sourceId)?.type === 'vector'
    if (isGround && !(sourceId === 'basemap' && isBasemapGone())) broken.add(sourceId)
    if (broken.size > 0 && !timer && again++ < AGAIN_MAX) timer = setTimeout(() => tryAgain(map), AGAIN_MS)
    sayFault(map)
  })
  // The browser may restore the context, but does not if its GPU process has crashed more than once.
  map.on('webglcontextlost', () => say('The browser no longer draws the map: reload the page if it does not come back.', true))
  map.on('webglcontextrestored', () => sayFault(map))
  map.on('moveend', () => tryAgain(map))
  addEventListener('online', () => tryAgain(map))
}

/** Requests the failed parts again, except those that were refused for good. */
function tryAgain(map) {
  clearTimeout(timer)
  timer = 0
  const tiles = failedTiles(map).filter(({ status }) => !refusals[status])
  if (tiles.length > 0) map.refreshTiles('archive', tiles)
  for (const name of broken) {
    const { tileSize, maxzoom } = map.getSource(name)
    // With their coordinates: without them MapLibre waits for a failed tile as if it were still loading.
    const inView = map.coveringTiles({ tileSize, maxzoom }).map(({ canonical }) => canonical)
    map.refreshTiles(name, inView)
  }
  broken.clear()
}
