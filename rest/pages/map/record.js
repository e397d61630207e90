import { graph } from '/map/api.js'
import { element, made } from '/map/page.js'

const sourceNames = {
  noaa_storm_events: 'NOAA Storm Events Database',
  noaa_spc_reports: 'NOAA Storm Prediction Center',
  nws_lsr: 'NWS local storm report',
  noaa_mesh: 'NOAA MRMS, radar estimate',
  nexrad_hail: 'NEXRAD, radar estimate',
  sample: 'Sample, made up',
}
const manners = {
  measured: 'measured',
  estimated: 'estimated by the source',
  surveyed: 'NWS survey',
  radar_estimated: 'estimated by radar',
  unknown: 'measured or estimated: not stated',
}
const units = { hail: 'in', radar_hail: 'in or more', wind: 'mph' }

const RECORD = `query ($id: Int!) { mapRecord(id: $id) { qualifier county state source_label citation_url description } }`

/** The feature shown last: an answer that comes late is for another. */
let shown = 0

/** Shows what a feature says at once, and what stands behind it when the service has told. Null hides it. */
export async function showRecord(feature) {
  const turn = ++shown
  element('record').hidden = !feature
  if (!feature) return
  const layer = feature.layer.id
  const { id, type, date, value, severity, source, evidence_kind } = feature.properties
  const size = value === undefined ? 'not stated' : layer.startsWith('tornado') ? `EF${value}` : `${value} ${units[layer] ?? ''}`
  const close = made('button', { type: 'button', className: 'close', textContent: '×', ariaLabel: 'Close' })
  close.addEventListener('click', () => showRecord(null))
  const list = made('dl')
  const say = (term, ...said) => {
    const told = described(said)
    list.append(made('dt', { textContent: term }), told)
    return told
  }
  say('Date', date)
  const magnitude = say('Magnitude', layer === 'radar_hail' ? `${size}, ${manners.radar_estimated}` : size)
  say('Severity', severity)
  say('Evidence', evidence_kind)
  say('Source', sourceNames[source] ?? source)
  element('record').replaceChildren(close, made('h2', { textContent: type.replaceAll('_', ' ') }), list)
  if (layer === 'radar_hail') return say('Citation', `${source}, ${date}`)
  const record = await graph(RECORD, { id }).then(
    ({ mapRecord }) => mapRecord,
    ({ message }) => ({ fault: message }),
  )
  if (turn !== shown) return
  const { qualifier, county, state } = record
  if (value !== undefined && qualifier) magnitude.append(`, ${manners[qualifier]}`)
  if (county || state) say('Place', [county, state].filter(Boolean).join(', '))
  say('Citation', `${record.source_label ?? source}, record ${id}`, record.fault ?? citation(record.citation_url))
  if (record.description) element('record').append(made('p', { textContent: record.description }))
}

function described(said) {
  const place = made('dd')
  for (const [index, part] of said.entries()) place.append(...(index > 0 ? [made('br'), part] : [part]))
  return place
}

/** A link where it is an address of the web; else its text, whatever it says. */
function citation(url) {
  if (!/^https?:\/\//i.test(url)) return url
  return made('a', { href: url, textContent: url, target: '_blank', rel: 'noopener noreferrer' })
}
