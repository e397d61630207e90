import { graph } from '/map/api.js'
import { leaveAround, startAround } from '/map/around.js'
import { element, made } from '/map/page.js'
import { bands, severities } from '/map/style.js'
import { read } from '/map/times.js'
import { sourceNames } from '/map/vocabulary.js'

const manners = {
  measured: 'measured',
  estimated: 'estimated by the source',
  surveyed: 'NWS survey',
  radar_estimated: 'estimated by radar',
  unknown: 'measured or estimated: not stated',
}
/** 2.00 in, as reports and the console write sizes. */
const inches = (size) => `${size.toFixed(2)} in`
const sizeTexts = { hail: inches, wind: (speed) => `${speed} mph` }

const RECORD = `query ($id: Int!) { mapRecord(id: $id) { qualifier tornado_rating tornado_width_yd county state source_label citation_url description caveats } }`

/** The feature shown last: a late response may belong to another one. */
let shown = 0
let features = []
let turn = 0

element('before').addEventListener('click', () => step(-1))
element('after').addEventListener('click', () => step(1))

/**
 * Shows the strongest of the features under the pointer, buttons to step through the others, and a search around the place.
 * @param name the name of the place, if a user searched for it
 */
export function showRecords(found, place, name = 'Around here') {
  features = strongestFirst(found)
  turn = 0
  element('record').hidden = false
  element('turns').hidden = features.length < 2
  startAround(place, name)
  if (features.length > 0) return show()
  shown++
  element('record-details').replaceChildren()
}

export function closeRecord() {
  shown++
  leaveAround()
  element('record').hidden = true
}

function step(by) {
  turn = (turn + by + features.length) % features.length
  show()
}

function show() {
  element('turn').textContent = `${turn + 1} of ${features.length} here`
  element('record').scrollTop = 0
  return showRecord(features[turn])
}

/**
 * Returns each record once: a tornado is a point and a path, and a shape is found in every tile that it meets. A click on a mark means
 * that mark, not the radar around it.
 */
function strongestFirst(found) {
  const isArea = ({ layer }) => layer.id === 'radar_hail' || layer.id === 'warnings'
  const keyOf = (one) => `${isArea(one)} ${one.properties.id} ${one.properties.source}`
  const each = new Map(found.toReversed().map((one) => [keyOf(one), one]))
  const rank = ({ properties }) => severities.indexOf(properties.severity)
  return [...each.values()].sort(
    (one, other) =>
      isArea(one) - isArea(other) ||
      rank(other) - rank(one) ||
      (other.properties.value ?? -1) - (one.properties.value ?? -1) ||
      dateOf(other).localeCompare(dateOf(one)),
  )
}

const dateOf = ({ properties }) => properties.date ?? properties.from

/** Shows the data of a feature at once, and the rest of its record when the service has responded. */
async function showRecord(feature) {
  const mine = ++shown
  const layer = feature.layer.id
  if (layer === 'warnings') return element('record-details').replaceChildren(...warningCard(feature.properties))
  const { id, type, date, value, severity, source, evidence_kind } = feature.properties
  const list = made('dl')
  const say = (term, ...said) => {
    const value = described(said)
    list.append(made('dt', { textContent: term }), value)
    return value
  }
  say('Date', date)
  const magnitude = say('Magnitude', sizeOf(layer, value, date))
  say('Severity', severity)
  say('Evidence', evidence_kind)
  say('Source', sourceNames[source] ?? source)
  element('record-details').replaceChildren(made('h2', { textContent: type.replaceAll('_', ' ') }), list)
  if (layer === 'radar_hail') return say('Citation', `${sourceNames[source] ?? source}: the largest of ${date} by local time`)
  const record = await graph(RECORD, { id }).then(
    ({ mapRecord }) => mapRecord,
    ({ message }) => ({ fault: message }),
  )
  if (mine !== shown) return
  const { qualifier, tornado_rating, tornado_width_yd, county, state } = record
  if (tornado_rating) magnitude.textContent = tornado_rating
  if (value !== undefined && qualifier) magnitude.append(`, ${manners[qualifier]}`)
  if (tornado_width_yd) say('Width', `${date < GREATEST_WIDTH_SINCE ? 'mean' : 'up to'} ${tornado_width_yd} yards`)
  if (county || state) say('Place', [county, state].filter(Boolean).join(', '))
  say('Citation', `${record.source_label ?? sourceNames[source] ?? source}, record ${id}`, record.fault ?? citation(record.citation_url))
  if (record.caveats?.length > 0) say('Doubted', ...record.caveats)
  if (record.description) element('record-details').append(made('p', { textContent: record.description }))
}

/** Returns the content of a warning: its tags as they were sent. */
function warningCard({ type, issued, expires, from, until, timezone, severity, source, ...tags }) {
  const list = made('dl')
  const say = (term, said) => list.append(made('dt', { textContent: term }), made('dd', { textContent: said }))
  const time = (at) => read(at, timezone ?? 'UTC')
  const by = (basis) => (basis ? `, ${basis.replaceAll('_', ' ')}` : '')
  say('Issued', time(issued))
  say('Expires', time(expires))
  if (from !== issued || until !== expires) say('This area', `${time(from)} to ${time(until)}`)
  if (tags.max_hail_in) say('Hail', `up to ${inches(tags.max_hail_in)}${by(tags.hail_basis)}`)
  if (tags.max_gust_mph) say('Wind', `up to ${tags.max_gust_mph} mph${by(tags.wind_basis)}`)
  if (tags.tornado) say('Tornado', tags.tornado.replaceAll('_', ' '))
  if (tags.flash_flood) say('Flash flood', tags.flash_flood.replaceAll('_', ' '))
  if (tags.damage) say('Damage threat', tags.damage)
  say('Severity', severity)
  const note = made('p', { className: 'note', textContent: 'An official warning: a forecast, not a record that something happened.' })
  return [made('h2', { textContent: type }), list, note]
}

/** The stated width of a tornado is the greatest of its path since this day, and was the mean before. */
const GREATEST_WIDTH_SINCE = '1994-01-01'

/** Tornadoes are rated on the EF scale since this day; the row's own rating replaces this once it is loaded. */
const EF_SINCE = '2007-02-01'

function sizeOf(layer, value, date) {
  if (layer === 'radar_hail')
    return `${value > 0 ? `${inches(value)} or more` : `less than ${inches(bands[1])}`}, ${manners.radar_estimated}`
  if (value === undefined) return 'not stated'
  return layer.startsWith('tornado') ? `${date < EF_SINCE ? 'F' : 'EF'}${value}` : (sizeTexts[layer]?.(value) ?? String(value))
}

function described(said) {
  const place = made('dd')
  for (const [index, part] of said.entries()) place.append(...(index > 0 ? [made('br'), part] : [part]))
  return place
}

/** Returns a link if the text is a web address; else the text itself. */
function citation(url) {
  if (!/^https?:\/\//i.test(url)) return url
  return made('a', { href: url, textContent: url, target: '_blank', rel: 'noopener noreferrer' })
}
