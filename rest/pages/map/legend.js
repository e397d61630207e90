import { element, made } from '/map/page.js'
import { bandColors, bands, colorOf, points, recorded, warningColorOf } from '/map/style.js'
import { layers, warningColours } from '/map/vocabulary.js'
import { warningLayers } from '/map/warnings.js'

/** Checkboxes by the layers that they show or hide. */
const boxes = new Map()

/**
 * Builds the legend: the layers with their marks, each with a checkbox; the radar bands; the filters.
 * @param onChange is called when a layer or a filter changes
 */
export function legend(map, onChange) {
  const line = (id, label) => switchOf(map, id, label, onChange)
  for (const id of recorded) element('layers').append(line(id, layers[id].label))
  element('radar').append(line('radar_hail', 'Largest estimate of a day'), line('swaths', 'Swaths of the storm day'))
  element('warning-layer').append(line('warnings', 'Polygons in force'))
  element('warning-colors').append(
    ...warningColours.map(({ label }) => {
      const row = made('li')
      row.append(made('span', { className: 'mark warned' }), label)
      return row
    }),
  )
  for (const inches of bands) element('bands').append(made('li', { textContent: inches }))
  for (const id of ['from', 'to', 'hail', 'wind'])
    element(id).addEventListener('change', () => {
      filter(map)
      onChange()
    })
  paintLegend()
}

/** Gives the marks of the legend the current colours of the map. */
export function paintLegend() {
  for (const id of recorded) element(`mark-${id}`).style.setProperty('--mark', colorOf(id))
  for (const id of ['radar_hail', 'swaths'])
    element(`mark-${id}`).style.setProperty('--mark', `linear-gradient(90deg, ${bandColors().join(', ')})`)
  for (const [nth, row] of warningColours.entries())
    element('warning-colors').children[nth].firstChild.style.setProperty('--mark', warningColorOf(row))
  for (const [band, color] of bandColors().entries()) element('bands').children[band].style.setProperty('--band', color)
}

/** Layers of the map that belong to one entry of the legend. */
const drawnAs = { tornado_paths: ['tornado_widths', 'tornado_paths'], warnings: warningLayers }

/** Returns the ids of the hidden layers. */
export const switchedOff = () => [...boxes].flatMap(([id, box]) => (box.checked ? [] : [id]))

/** Hides these layers, and shows all others. */
export function switchOff(ids) {
  for (const [id, box] of boxes) if (box.checked === ids.includes(id)) box.click()
}

function switchOf(map, id, label, onChange) {
  const whole = made('label', { className: 'switch' })
  const box = made('input', { type: 'checkbox', checked: true, id: `show-${id}` })
  boxes.set(id, box)
  box.addEventListener('change', () => {
    for (const layer of drawnAs[id] ?? [id]) map.setLayoutProperty(layer, 'visibility', box.checked ? 'visible' : 'none')
    onChange()
  })
  const mark = made('span', { id: `mark-${id}`, className: `mark ${points.includes(id) ? 'point' : id}` })
  whole.append(box, mark, label)
  return whole
}

/** The current storm day, YYYY-MM-DD; empty if there is none. */
export const playedDay = { date: '' }

/** Returns the filters: days as YYYY-MM-DD or empty, inches, miles per hour. A storm day replaces the filter by days. */
export function filters() {
  const [hail, wind] = [Number(element('hail').value), Number(element('wind').value)]
  const { date } = playedDay
  return { from: date || element('from').value, to: date || element('to').value, hail, wind }
}

/** Shows only the records that match the filters. */
export function filter(map) {
  const { from, to, hail, wind } = filters()
  const span = [...(from ? [['>=', ['get', 'date'], from]] : []), ...(to ? [['<=', ['get', 'date'], to]] : [])]
  const least = { hail, radar_hail: bandFrom(hail), wind }
  for (const id of Object.keys(layers)) {
    const value = least[id] ?? 0
    const size = value > 0 ? [['>=', ['coalesce', ['get', 'value'], 0], value]] : []
    for (const layer of drawnAs[id] ?? [id]) map.setFilter(layer, ['all', ...span, ...size])
  }
}

/** An area has the lower bound of its band, so the filter starts at the band that contains the size. */
const bandFrom = (inches) => bands.findLast((from) => from <= inches) ?? 0
