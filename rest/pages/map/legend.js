import { element, made } from '/map/page.js'
import { bandColors, bands, colorOf, layers, points } from '/map/style.js'

/** The layers with their marks, each to be shown or hidden; the bands of radar; the filters. */
export function legend(map) {
  for (const [id, { label }] of Object.entries(layers)) element('layers').append(line(map, id, label))
  element('radar').append(line(map, 'radar_hail', 'Largest estimate of a day'))
  for (const inches of bands) element('bands').append(made('li', { textContent: inches }))
  for (const id of ['from', 'to', 'hail', 'wind']) element(id).addEventListener('change', () => filter(map))
  paintLegend()
}

/** Gives the marks of the legend the colours that the map has now. */
export function paintLegend() {
  for (const id of Object.keys(layers)) element(`mark-${id}`).style.setProperty('--mark', colorOf(id))
  for (const [band, color] of bandColors().entries()) element('bands').children[band].style.setProperty('--band', color)
}

function line(map, id, label) {
  const whole = made('label', { className: 'switch' })
  const box = made('input', { type: 'checkbox', checked: true, id: `show-${id}` })
  box.addEventListener('change', () => map.setLayoutProperty(id, 'visibility', box.checked ? 'visible' : 'none'))
  const mark = made('span', { id: `mark-${id}`, className: `mark ${points.includes(id) ? 'point' : id}` })
  whole.append(box, mark, label)
  return whole
}

function filter(map) {
  const [from, to] = [element('from').value, element('to').value]
  const span = [...(from ? [['>=', ['get', 'date'], from]] : []), ...(to ? [['<=', ['get', 'date'], to]] : [])]
  const [hail, wind] = [Number(element('hail').value), Number(element('wind').value)]
  for (const [id, least] of Object.entries({ hail, radar_hail: hail, wind, tornado: 0, flood: 0, other: 0, tornado_paths: 0 })) {
    const size = least > 0 ? [['>=', ['coalesce', ['get', 'value'], 0], least]] : []
    map.setFilter(id, ['all', ...span, ...size])
  }
}
