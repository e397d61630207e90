import { element } from '/map/page.js'

/** Degrees are rounded to a hundred thousandth, zooms to a hundredth. */
const [PLACE_DECIMALS, ZOOM_DECIMALS] = [5, 2]
/** Milliseconds after the last change: browsers limit how often a page may change its address. */
const QUIET_MS = 250

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?Z$/
const NUMBER = /^\d{1,3}(\.\d{1,2})?$/
/** Filters by the ids of their fields, and the values that each accepts. */
const filterForms = { from: DAY, to: DAY, hail: NUMBER, wind: NUMBER }

/**
 * Returns the view in the address bar behind its #, which browsers send to no server: the centre and the zoom, the storm day and its
 * moment, the hidden layers, the filters. Anything else is ignored.
 */
export function linkedView() {
  const given = new URLSearchParams(location.hash.slice(1))
  const [latitude, longitude, zoom] = (given.get('at') ?? '').split(',').map(Number)
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 24
  const one = (name, form) => (form.test(given.get(name) ?? '') ? given.get(name) : '')
  return {
    place: isPlace ? { center: [longitude, latitude], zoom } : null,
    day: one('day', DAY),
    moment: one('moment', MOMENT),
    off: (given.get('off') ?? '').split(',').filter((id) => /^[a-z_]{1,40}$/.test(id)),
    filters: Object.fromEntries(Object.entries(filterForms).map(([name, form]) => [name, one(name, form)])),
  }
}

let timer = 0

/**
 * Writes the view into the address bar once it stops changing. The token is never part of it.
 * @param view returns the day, the moment and the hidden layers
 */
export function keepLink(map, view) {
  clearTimeout(timer)
  timer = setTimeout(() => history.replaceState(null, '', linkOf(map, view())), QUIET_MS)
}

export function linkOf(map, { day, moment, off }) {
  const { lat, lng } = map.getCenter().wrap()
  const kept = new URLSearchParams({
    at: [lat.toFixed(PLACE_DECIMALS), lng.toFixed(PLACE_DECIMALS), map.getZoom().toFixed(ZOOM_DECIMALS)].join(),
  })
  const filters = Object.keys(filterForms).map((name) => [name, element(name).value])
  for (const [name, value] of [['day', day], ['moment', moment], ['off', off.join()], ...filters])
    if (value && value !== '0') kept.set(name, value)
  // Commas and colons are allowed in a fragment, and are easier to read than their escapes.
  return `${location.pathname}#${kept.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`
}
