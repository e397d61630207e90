import { element, placesOf } from '/map/page.js'

const METRES_PER_MILE = 1609.344
const FEET_PER_MILE = 5280

let points = []
let isOn = false

export const isMeasuring = () => isOn

/** Sets up the measuring of distances between points that the user clicks, or sets with Enter at the map's centre. */
export function measure(map) {
  const draw = () => show(map)
  element('measure').addEventListener('click', () => turn(map, !isOn))
  element('measure-end').addEventListener('click', () => leaveMeasure(map))
  element('undo').addEventListener('click', () => {
    points.pop()
    draw()
  })
  map.getCanvas().addEventListener('keydown', (event) => {
    if (!isOn || (event.key !== 'Backspace' && event.key !== 'Delete')) return
    event.preventDefault()
    points.pop()
    draw()
  })
}

/** Appends a point. */
export function measureTo(map, place) {
  points.push(place)
  show(map)
}

/** Ends measuring; the map has the keys again. */
export function leaveMeasure(map) {
  turn(map, false)
  map.getCanvas().focus({ preventScroll: true })
}

function turn(map, on) {
  isOn = on
  points = []
  element('measure').setAttribute('aria-pressed', String(on))
  element('measured').hidden = !on
  map.getCanvas().style.cursor = on ? 'crosshair' : ''
  show(map)
  if (on) map.getCanvas().focus({ preventScroll: true })
}

function show(map) {
  const line = points.map(({ lng, lat }) => [lng, lat])
  const { features } = placesOf(points.map(({ lng, lat }) => ({ longitude: lng, latitude: lat })))
  const path = { type: 'Feature', geometry: { type: 'LineString', coordinates: line }, properties: {} }
  map.getSource('measure').setData({ type: 'FeatureCollection', features: line.length > 1 ? [path, ...features] : features })
  // A disabled button would lose the focus of whoever removed the last point with it.
  element('undo').ariaDisabled = String(points.length === 0)
  element('distance').textContent = said()
}

function said() {
  if (points.length < 2) return points.length === 0 ? 'Set the first point.' : 'Set the next point.'
  const steps = points.slice(1).map((point, index) => point.distanceTo(points[index]) / METRES_PER_MILE)
  const whole = steps.reduce((sum, miles) => sum + miles, 0)
  const last = steps.length > 1 ? `; the last leg ${lengthOf(steps.at(-1))}` : ''
  return `${lengthOf(whole)}${last}`
}

/** Miles and feet. */
function lengthOf(miles) {
  const feet = Math.round(miles * FEET_PER_MILE).toLocaleString('en-US')
  return `${miles.toLocaleString('en-US', { maximumFractionDigits: miles < 10 ? 2 : 1 })} mi (${feet} ft)`
}
