import { apiInTime } from '/map/api.js'
import { element, made } from '/map/page.js'

/** Pages of each list at most: three lists of them are a quarter of what a token may ask in a minute, and the tiles need the rest. */
const PAGES_MAX = 10
const ROWS_A_PAGE = 100

/** Draws what the team watches, as far as the token may read it, and says what of it is not drawn. */
export async function drawTeam(map) {
  const [properties, territories, exposures] = await Promise.all([
    readAll('Properties', '/properties?'),
    readAll('Territories', '/territories?'),
    readAll('Open exposures', '/exposures?open=true&'),
  ])
  const exposed = new Set(exposures.rows.map(({ subject }) => subject.id))
  const feature = (geometry, { id, name }) => ({ type: 'Feature', geometry, properties: { id, name, exposed: exposed.has(id) } })
  const located = properties.rows.filter(({ address }) => address.located)
  const places = located.map((one) => feature({ type: 'Point', coordinates: [one.address.longitude, one.address.latitude] }, one))
  const areas = territories.rows.map((one) => feature(one.geometry, one))
  const notes = [shortfall(properties, located.length), shortfall(territories), shortfall(exposures)].filter(Boolean)
  showNotes(notes)
  element('watched').hidden = places.length + areas.length + notes.length === 0
  map.getSource('team').setData({ type: 'FeatureCollection', features: [...areas, ...places] })
}

const showNotes = (notes) =>
  element('unwatched').replaceChildren(...notes.map((textContent) => made('p', { className: 'note', textContent })))

function showWait(seconds) {
  element('watched').hidden = false
  showNotes([`Many requests in a minute: what your team watches comes in ${seconds} s.`])
}

/** The newest rows of a list, how many there are of them in all, and why they are not all here where that is a fault. */
async function readAll(name, path) {
  // By id: a row that is added meanwhile moves others on to the next page.
  const rows = new Map()
  let total = 0
  try {
    for (let page = 1, last = 1; page <= Math.min(last, PAGES_MAX); page++) {
      const { data, meta } = await apiInTime(`${path}per_page=${ROWS_A_PAGE}&page=${page}`, showWait)
      for (const row of data) rows.set(row.id, row)
      ;({ total, last_page: last } = meta)
    }
  } catch ({ message }) {
    return { name, rows: [...rows.values()], total, fault: message }
  }
  return { name, rows: [...rows.values()], total }
}

/** What of a list is not drawn, in a sentence; nothing where all of it is. */
function shortfall({ name, rows, total, fault }, shown = rows.length) {
  if (fault && rows.length === 0) return `${name} could not be loaded: ${fault}`
  if (shown >= total) return ''
  const unlocated = rows.length - shown
  const why = [
    ...(unlocated > 0 ? [`${counted(unlocated)} ${unlocated === 1 ? 'has' : 'have'} no place yet`] : []),
    ...(fault ? [`more could not be loaded: ${fault}`] : rows.length < total ? ['the newest of them'] : []),
  ]
  return `${name}: ${counted(shown)} of ${counted(total)} shown; ${why.join('; ')}`.replace(/\.?$/, '.')
}

const counted = (number) => number.toLocaleString('en-US')
