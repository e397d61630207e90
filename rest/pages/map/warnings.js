import { element } from '/map/page.js'
import { isTooWideForWarnings, reloadWarnings } from '/map/tiles.js'
import { written } from '/map/times.js'

/** A fill to be picked, and its edges. */
export const warningLayers = ['warnings', 'warnings-edges']

/** Milliseconds between updates of what is in force now, and between requests for what was issued and cancelled since. */
const MINUTE_MS = 60_000
const RELOAD_MS = 180_000

/** From when to when they are shown, both included; null for now. */
let span = null

/** Shows the warnings in force now, unless a storm day is shown: updated every minute, and requested again every few while somebody looks. */
export function watchWarnings(map) {
  let loadedAt = Date.now()
  const update = () => {
    if (span || document.hidden) return
    filterWarnings(map)
    if (Date.now() - loadedAt < RELOAD_MS) return
    loadedAt = Date.now()
    reloadWarnings(map)
  }
  filterWarnings(map)
  setInterval(update, MINUTE_MS)
  document.addEventListener('visibilitychange', update)
}

/** States why no polygon is in view though there may be warnings. */
export function sayUndrawn(map) {
  const sentence = map.getLayoutProperty('warnings', 'visibility') === 'none' ? '' : undrawn(map)
  if (element('undrawn').textContent !== sentence) element('undrawn').textContent = sentence
}

function undrawn(map) {
  if (isTooWideForWarnings(map)) return 'Not drawn in a view this wide: zoom in to see them.'
  const hasListed = span !== null && element('warned').textContent !== ''
  if (!hasListed || map.queryRenderedFeatures({ layers: ['warnings'] }).length > 0) return ''
  return 'None of the warnings listed is drawn here: they name counties, or are too old for a view this wide. Zoom in to see older ones.'
}

/** @param between texts of two moments, from and until, or null for now */
export function showWarningsIn(map, between) {
  span = between
  filterWarnings(map)
}

function filterWarnings(map) {
  const [from, until] = span ?? [written(Date.now()), written(Date.now())]
  for (const id of warningLayers) map.setFilter(id, ['all', ['<=', ['get', 'from'], until], ['>', ['get', 'until'], from]])
}
