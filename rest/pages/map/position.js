import { element } from '/map/page.js'

/** Decimals that are shown: about 10 m. */
const DECIMALS = 4
const WAIT_MS = 10_000
/** How old a position may be that the browser knows already. */
const AGE_MS = 60_000
const FEET_PER_METRE = 3.28084
const FEET_PER_MILE = 5280

const why = {
  1: 'The browser may not say where you are: allow it in its settings, or search for the place.',
  2: 'The browser does not know where you are: search for the place instead.',
  3: 'The browser did not say in time where you are: try again, or search for the place.',
}

const shown = (name, { lat, lng }) => `${name} ${lat.toFixed(DECIMALS)}, ${lng.toFixed(DECIMALS)}`

/** Shows the coordinates of the pointer, or of the map's middle where it is not over the map. */
export function showPosition(map) {
  const say = (name, place) => {
    element('position').textContent = shown(name, place.wrap())
  }
  const middle = () => say('Middle', map.getCenter())
  map.on('mousemove', ({ lngLat }) => say('Pointer', lngLat))
  map.on('mouseout', middle)
  map.on('move', ({ originalEvent }) => originalEvent?.type === 'mousemove' || middle())
  middle()
}

/**
 * Asks the browser where it is, once.
 * @param isMeant says whether it is still looked for
 * @param found is given `latitude`, `longitude` and how exact they are, in words
 * @param say shows a sentence, as a fault where its second argument says so
 */
export function whereAmI(isMeant, found, say) {
  if (!navigator.geolocation) return say(why[2], true)
  say('Asking the browser where you are …')
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude, accuracy } }) =>
      isMeant() && found({ latitude, longitude, note: `You are within ${lengthOf(accuracy)} of here, as the browser says.` }),
    ({ code }) => isMeant() && say(why[code] ?? why[2], true),
    { timeout: WAIT_MS, maximumAge: AGE_MS },
  )
}

const lengthOf = (metres) => {
  const feet = metres * FEET_PER_METRE
  return feet < FEET_PER_MILE / 2 ? `${Math.ceil(feet)} ft` : `${(feet / FEET_PER_MILE).toFixed(1)} mi`
}
