import { element, made } from '/map/page.js'
import { bandColors, bands, colorOf, points, recorded, warningColorOf } from '/map/style.js'
import { layers, warningColours } from '/map/vocabulary.js'
import { warningLayers } from '/map/warnings.js'

/** Layers that can be switched off, by the box that does it. */
const boxes = new Map()

/**
 * The layers with their marks, each to be shown or hidden; the bands of radar; the filters.
 * @param onChange is called when something is switched or filtered
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

/** Gives the marks of the legend the colours that the map has now. */
export function paintLegend() {
  for (const id of recorded) element(`mark-${id}`).style.setProperty('--mark', colorOf(id))
  for (const id of ['radar_hail', 'swaths'])
    element(`mark-${id}`).style.setProperty('--mark', `linear-gradient(90deg, ${bandColors().join(', ')})`)
  for (const [nth, row] of warningColours.entries())
    element('warning-colors').children[nth].firstChild.style.setProperty('--mark', warningColorOf(row))
  for (const [band, color] of bandColors().entries()) element('bands').children[band].style.setProperty('--band', color)
}

/** What is drawn as several layers of the map, under the one that is switched and filtered. */
const drawnAs = { tornado_paths: ['tornado_widths', 'tornado_paths'], warnings: warningLayers }

/** Ids of the layers that are switched off. */
export const switchedOff = () => [...boxes].flatMap(([id, box]) => (box.checked ? [] : [id]))

/** Switches off these layers, and on all others. */
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

/** The storm day that is played, YYYY-MM-DD; empty where none is. */
export const playedDay = { date: '' }

/** What is asked for: days as YYYY-MM-DD or nothing, inches, miles an hour. A day that is played stands alone. */
export function filters() {
  const [hail, wind] = [Number(element('hail').value), Number(element('wind').value)]
  const { date } = playedDay
  return { from: date || element('from').value, to: date || element('to').value, hail, wind }
}

/** Shows the records that are asked for, and no others. */
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

/** An area carries the lower end of its band: the band in which the size lies reaches it too. */
const bandFrom = (inches) => bands.findLast((from) => from <= inches) ?? 0
