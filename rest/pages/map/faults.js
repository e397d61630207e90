import { element } from '/map/page.js'
import { failedTiles } from '/map/tiles.js'

/** Sources of the ground of which something did not come. */
const broken = new Set()
/** Milliseconds until the ground is asked for again by itself, and how often in a row. */
const AGAIN_MS = 3000
const AGAIN_MAX = 20
let again = 0
let timer = 0

const refusals = {
  401: 'The token is no longer accepted: load the page anew and enter another.',
  403: 'This token lacks the ability maps:read.',
}

/** Says what the service answers to the page as a whole. */
export function say(sentence, wrong = false) {
  const said = element('said')
  // A sentence written again would be read out again.
  if (said.textContent !== sentence) said.textContent = sentence
  said.classList.toggle('wrong', wrong)
}

/** Says what keeps the map from being whole; nothing once it is. */
export function sayFault(map) {
  const failed = failedTiles(map)
  if (failed.length === 0 && broken.size === 0) return say('')
  const refused = failed.find(({ status }) => refusals[status])
  say(refusals[refused?.status] ?? 'A part of the map could not be loaded: move the map to try again.', true)
}

/** Hears of each part that did not come, and asks again when the map is moved or the network is back. */
export function watchFaults(map) {
  map.on('error', ({ sourceId }) => {
    if (sourceId && sourceId !== 'archive' && map.getSource(sourceId)?.type === 'vector') broken.add(sourceId)
    if (broken.size > 0 && !timer && again++ < AGAIN_MAX) timer = setTimeout(() => tryAgain(map), AGAIN_MS)
    sayFault(map)
  })
  // The browser gives it back, or not: where the program that draws has ended more than once it does not.
  map.on('webglcontextlost', () => say('The browser no longer draws the map: load the page anew if it does not come back.', true))
  map.on('webglcontextrestored', () => sayFault(map))
  map.on('moveend', () => tryAgain(map))
  addEventListener('online', () => tryAgain(map))
}

/** Asks again for what did not come and was not refused for good. */
function tryAgain(map) {
  clearTimeout(timer)
  timer = 0
  const tiles = failedTiles(map).filter(({ status }) => !refusals[status])
  if (tiles.length > 0) map.refreshTiles('archive', tiles)
  for (const name of broken) {
    const { tileSize, maxzoom } = map.getSource(name)
    // By their numbers: without them MapLibre waits for a tile that failed as if it were on its way.
    const inView = map.coveringTiles({ tileSize, maxzoom }).map(({ canonical }) => canonical)
    map.refreshTiles(name, inView)
  }
  broken.clear()
}
