import { element } from '/map/page.js'
import { recorded } from '/map/style.js'
import { sourceNames } from '/map/vocabulary.js'

/** Layers whose features name the source that they come from. */
const layers = recorded.concat('radar_hail', 'swaths')

/** States that records in view are made up. It stays on a printed map. */
export function sayMadeUp(map) {
  const isMadeUp = map.queryRenderedFeatures({ layers }).some(({ properties }) => properties.source === 'sample')
  const sentence = isMadeUp ? `${sourceNames.sample}: some of what is shown never happened.` : ''
  if (element('made-up').textContent !== sentence) element('made-up').textContent = sentence
}
