import { filters, playedDay } from '/map/legend.js'
import { element } from '/map/page.js'
import { recorded } from '/map/style.js'
import { failedTiles, isThinned } from '/map/tiles.js'

/** What shows that something happened: a warning is a forecast. */
const shownLayers = recorded.concat('radar_hail')
/** Layers of the storm day that is played. */
const ofDay = ['moment', 'reports']

/** Says what a view that is whole does not show, and how to come to it. */
export function sayMissing(map) {
  const sentence = missingFrom(map)
  // A sentence written again would be read out again.
  if (element('missing').textContent !== sentence) element('missing').textContent = sentence
}

function missingFrom(map) {
  // What did not come may hold anything: the fault itself is said elsewhere.
  if (failedTiles(map).length > 0) return ''
  const on = shownLayers.filter((id) => map.getLayoutProperty(id, 'visibility') !== 'none')
  if (on.length === 0) return 'Every layer of records is switched off.'
  const { from, to, hail, wind } = filters()
  const narrowed = from || to || hail > 0 || wind > 0
  if (narrowed && isThinned(map)) return `Only the strongest record of each place is shown here: zoom in for ${soughtBy(from, to)}.`
  if (map.queryRenderedFeatures({ layers: [...on, ...ofDay] }).length > 0) return ''
  if (on.length < shownLayers.length) return 'No records here in the layers that are switched on: switch on more, or move on.'
  if (playedDay.date) return 'No records of this day here: move on, or show all days again.'
  return narrowed ? 'No records here for these filters: move on, or ask for less.' : 'No records here: zoom out or move on.'
}

function soughtBy(from, to) {
  if (!from && !to) return 'all of this size'
  return from === to ? 'this date' : 'these dates'
}
