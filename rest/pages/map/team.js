import { apiInTime } from '/map/api.js'
import { element, made } from '/map/page.js'

/** Pages of each list at most: three lists take a quarter of a token's rate limit for a minute; the tiles need the rest. */
const PAGES_MAX = 10
const ROWS_A_PAGE = 100

/** Draws the watched places that the token may read, and shows what is missing. */
export async function drawTeam(map) {
  const [properties, territories, exposures] = await Promise.all([
    readAll('Properties', '/properties?status=watching&'),
    readAll('Territories', '/territories?status=watching&'),
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
  showNotes([`Rate limit reached: the places of your team load in ${seconds} s.`])
}

/** Returns the newest rows of a list, the total number of rows, and the error if not all could be read. */
async function readAll(name, path) {
  // By id: a row that is added meanwhile pushes others to the next page.
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

/** Returns a sentence about the part of a list that is not drawn; nothing if all of it is drawn. */
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
