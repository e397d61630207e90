import { filters, playedDay } from '/map/legend.js'
import { element } from '/map/page.js'
import { recorded } from '/map/style.js'
import { failedTiles, isThinned } from '/map/tiles.js'

/** Layers that show that something happened: a warning is a forecast. */
const shownLayers = recorded.concat('radar_hail')
/** Layers of the current storm day. */
const ofDay = ['moment', 'reports']

/** With fewer features no tile in view reaches its size limit, beyond which the oldest radar and the weakest records are left out. */
const CROWDED_FEATURES = 50

/** States what a complete view does not show, and how to see it. */
export function sayMissing(map) {
  const sentence = missingFrom(map)
  // A sentence written again would be read out again.
  if (element('missing').textContent !== sentence) element('missing').textContent = sentence
}

function missingFrom(map) {
  // A failed tile may contain anything; faults.js reports the failure.
  if (failedTiles(map).length > 0) return ''
  const on = shownLayers.filter((id) => map.getLayoutProperty(id, 'visibility') !== 'none')
  if (on.length === 0) return 'Every layer of records is switched off.'
  const { from, to, hail, wind } = filters()
  const narrowed = from || to || hail > 0 || wind > 0
  if (narrowed && isThinned(map)) return `Only the strongest record of each place is shown here: zoom in for ${soughtBy(from, to)}.`
  if (map.queryRenderedFeatures({ layers: [...on, ...ofDay] }).length > 0) return ''
  if (narrowed && isCrowded(map, on))
    return 'No record shown here matches, but a view of so many leaves some out: zoom in, or move the map.'
  if (on.length < shownLayers.length) return 'No records here in the visible layers: show more layers, or move the map.'
  if (playedDay.date) return 'No records of this day here: move the map, or show all days again.'
  return narrowed
    ? 'No records here match these filters: move the map, or relax the filters.'
    : 'No records here: zoom out or move the map.'
}

function isCrowded(map, layers) {
  let features = 0
  return layers.some((sourceLayer) => (features += map.querySourceFeatures('archive', { sourceLayer }).length) > CROWDED_FEATURES)
}

function soughtBy(from, to) {
  if (!from && !to) return 'all of this size'
  return from === to ? 'this date' : 'these dates'
}
