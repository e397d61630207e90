import { element } from '/map/page.js'

/** Decimals shown: about 10 m. */
const DECIMALS = 4
const WAIT_MS = 10_000
/** Maximum age of a position that the browser already has. */
const AGE_MS = 60_000
const FEET_PER_METRE = 3.28084
const FEET_PER_MILE = 5280

const why = {
  1: 'The browser may not share your position: allow it in the browser settings, or search for the place.',
  2: 'The browser cannot find your position: search for the place instead.',
  3: 'The browser did not find your position in time: try again, or search for the place.',
}

const shown = (name, { lat, lng }) => `${name} ${lat.toFixed(DECIMALS)}, ${lng.toFixed(DECIMALS)}`

/** Shows the coordinates of the pointer, or of the map's centre if the pointer is not over the map. */
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
 * Requests the browser's position once.
 * @param isMeant returns whether the position is still wanted
 * @param found receives `latitude`, `longitude` and their accuracy in words
 * @param say shows a sentence, as an error if its second argument is true
 */
export function whereAmI(isMeant, found, say) {
  if (!navigator.geolocation) return say(why[2], true)
  say('Asking the browser for your position …')
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude, accuracy } }) =>
      isMeant() && found({ latitude, longitude, note: `You are within ${lengthOf(accuracy)} of here, according to the browser.` }),
    ({ code }) => isMeant() && say(why[code] ?? why[2], true),
    { timeout: WAIT_MS, maximumAge: AGE_MS },
  )
}

const lengthOf = (metres) => {
  const feet = metres * FEET_PER_METRE
  return feet < FEET_PER_MILE / 2 ? `${Math.ceil(feet)} ft` : `${(feet / FEET_PER_MILE).toFixed(1)} mi`
}
