import * as maplibre from '/map/maplibre-gl.mjs'

/** Colours of the layers: the legend, the map and the documents use the same. */
const layers = {
  hail: { label: 'Hail', color: '#0f6e79' },
  wind: { label: 'Wind', color: '#b8945a' },
  tornado: { label: 'Tornado', color: '#a94f2d' },
  flood: { label: 'Flood', color: '#5c7a3a' },
  other: { label: 'Other', color: '#6e3b6e' },
  tornado_paths: { label: 'Tornado paths', color: '#a94f2d' },
  radar_hail: { label: 'Radar-estimated hail', color: '#7a52b3' },
}
const points = ['hail', 'wind', 'tornado', 'flood', 'other']
/** Inches -> colour of radar, from the smallest band up. */
const radar = [0, '#d9cdf0', 0.5, '#c3aee6', 0.75, '#ab8ddb', 1, '#8f66cc', 1.5, '#7343b5', 2, '#582b94', 2.75, '#3d1770']
/** Milliseconds of a moment while the day plays: a day of 288 takes under a minute. */
const MOMENT_MS = 200
/** Degrees of a box that can be played at most. */
const BOX_MAX = 6
/** The contiguous states. */
const HOME = [-125, 24, -66, 50]

const element = (id) => document.getElementById(id)
const dark = matchMedia('(prefers-color-scheme: dark)')
const shades = () =>
  dark.matches
    ? { ground: '#182027', county: '#2c3841', state: '#64727d', ring: '#e8e6e0' }
    : { ground: '#f6f4ef', county: '#dfdacd', state: '#9a9484', ring: '#22303a' }

/** Never written anywhere: it goes with the page. */
let token = ''
let map
let day = { moments: [], context: { reports: [], warnings: [] } }
let timer = 0

element('enter').addEventListener('submit', async (event) => {
  event.preventDefault()
  token = element('token').value.trim()
  const answer = await api('/account').catch(() => null)
  if (!answer) return say('This token was not accepted.')
  element('token').value = ''
  element('enter').hidden = true
  element('controls').hidden = false
  say('')
  open()
})

/** Asks the API; throws what it says where it refuses. */
async function api(path) {
  const answer = await fetch(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message)
  return body
}

function say(sentence) {
  element('said').textContent = sentence
}

function open() {
  map = new maplibre.Map({
    container: 'map',
    bounds: HOME,
    maxZoom: 16,
    attributionControl: false,
    style: styleOf(),
    transformRequest: (url) => ({ url, headers: url.includes('/api/v1/') ? { authorization: `Bearer ${token}` } : {} }),
  })
  map.addControl(new maplibre.NavigationControl({ showCompass: false }))
  map.addControl(new maplibre.ScaleControl({ unit: 'imperial' }))
  map.on('click', ({ point }) => pick(point))
  map.on('load', drawTeam)
  map.getCanvas().addEventListener('keydown', ({ key }) => {
    const { clientWidth, clientHeight } = map.getContainer()
    if (key === 'Enter') pick({ x: clientWidth / 2, y: clientHeight / 2 })
  })
  dark.addEventListener('change', () => {
    const { ground, county, state } = shades()
    map.setPaintProperty('ground', 'background-color', ground)
    map.setPaintProperty('counties', 'line-color', county)
    map.setPaintProperty('states', 'line-color', state)
  })
  legend()
  // For those who drive the page.
  window.weatherMap = map
}

function styleOf() {
  const { ground, county, state, ring } = shades()
  const lines = (id, color, width) => ({ id, type: 'line', source: id, paint: { 'line-color': color, 'line-width': width } })
  const empty = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }
  return {
    version: 8,
    sources: {
      counties: { type: 'geojson', data: `${location.origin}/map/counties.json` },
      states: { type: 'geojson', data: `${location.origin}/map/states.json` },
      archive: { type: 'vector', tiles: [`${location.origin}/api/v1/tiles/{z}/{x}/{y}.mvt`], maxzoom: 14 },
      moment: empty,
      reports: empty,
      team: empty,
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': ground } },
      { ...lines('counties', county, 0.7), minzoom: 5 },
      lines('states', state, 1),
      {
        id: 'radar_hail',
        type: 'fill',
        source: 'archive',
        'source-layer': 'radar_hail',
        paint: { 'fill-color': ['step', ['get', 'value'], radar[1], ...radar.slice(2)], 'fill-opacity': 0.55, 'fill-antialias': false },
      },
      {
        id: 'moment',
        type: 'circle',
        source: 'moment',
        paint: {
          'circle-color': ['step', ['get', 'mesh_in'], radar[1], ...radar.slice(2)],
          'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 5, 1.5, 12, 40],
          'circle-opacity': 0.85,
        },
      },
      {
        id: 'team-areas',
        type: 'fill',
        source: 'team',
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': '#4a5a6a', 'fill-opacity': 0.15, 'fill-outline-color': ring },
      },
      {
        id: 'tornado_paths',
        type: 'line',
        source: 'archive',
        'source-layer': 'tornado_paths',
        layout: { 'line-cap': 'round' },
        paint: { 'line-color': layers.tornado_paths.color, 'line-width': ['interpolate', ['linear'], ['zoom'], 4, 1, 12, 4] },
      },
      ...points.map((layer) => ({
        id: layer,
        type: 'circle',
        source: 'archive',
        'source-layer': layer,
        paint: {
          'circle-color': layers[layer].color,
          'circle-stroke-color': ground,
          'circle-stroke-width': 0.8,
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 3, 8, 5, 12, 7],
        },
      })),
      {
        id: 'reports',
        type: 'circle',
        source: 'reports',
        paint: { 'circle-color': 'rgba(0,0,0,0)', 'circle-stroke-color': ring, 'circle-stroke-width': 2, 'circle-radius': 9 },
      },
      {
        id: 'team-places',
        type: 'circle',
        source: 'team',
        filter: ['==', ['geometry-type'], 'Point'],
        paint: {
          'circle-color': ['case', ['get', 'exposed'], '#a94f2d', '#4a5a6a'],
          'circle-stroke-color': ring,
          'circle-stroke-width': 2,
          'circle-radius': 6,
        },
      },
    ],
  }
}

/** The layers with their colours, each to be shown or hidden. */
function legend() {
  for (const [id, { label, color }] of Object.entries(layers)) {
    const line = document.createElement('label')
    const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: true, id: `show-${id}` })
    const swatch = Object.assign(document.createElement('span'), { className: 'swatch' })
    swatch.style.background = color
    line.append(box, swatch, label)
    element('layers').append(line)
    box.addEventListener('change', () => map.setLayoutProperty(id, 'visibility', box.checked ? 'visible' : 'none'))
  }
  for (const id of ['from', 'to', 'hail', 'wind']) element(id).addEventListener('change', filter)
}

function filter() {
  const [from, to] = [element('from').value, element('to').value]
  const span = [...(from ? [['>=', ['get', 'date'], from]] : []), ...(to ? [['<=', ['get', 'date'], to]] : [])]
  const least = { hail: Number(element('hail').value), radar_hail: Number(element('hail').value), wind: Number(element('wind').value) }
  for (const id of Object.keys(layers)) {
    const size = least[id] ? [['>=', ['coalesce', ['get', 'value'], 0], least[id]]] : []
    map.setFilter(id, ['all', ...span, ...size])
  }
}

/** Shows the record under a point of the screen. */
function pick({ x, y }) {
  const reach = 6
  const [found] = map.queryRenderedFeatures(
    [
      [x - reach, y - reach],
      [x + reach, y + reach],
    ],
    { layers: [...points].reverse().concat('tornado_paths', 'radar_hail') },
  )
  element('record').hidden = !found
  if (found) show(found.layer.id, found.properties)
}

const sourceNames = {
  noaa_storm_events: 'NOAA Storm Events Database',
  noaa_spc_reports: 'NOAA Storm Prediction Center',
  nws_lsr: 'NWS local storm report',
  noaa_mesh: 'NOAA MRMS, radar estimate',
  nexrad_hail: 'NEXRAD, radar estimate',
  sample: 'Sample, made up',
}

function show(layer, { id, type, date, value, severity, source, evidence_kind }) {
  const unit = { hail: 'in', radar_hail: 'in or more', wind: 'mph' }[layer] ?? ''
  const size = value === undefined ? 'not stated' : layer.startsWith('tornado') ? `EF${value}` : `${value} ${unit}`
  const heading = Object.assign(document.createElement('h2'), { textContent: type.replaceAll('_', ' ') })
  const list = document.createElement('dl')
  for (const [term, text] of [
    ['Date', date],
    ['Magnitude', size],
    ['Severity', severity],
    ['Evidence', evidence_kind],
    ['Source', sourceNames[source] ?? source],
    ['Citation', layer === 'radar_hail' ? `${source}, ${date}` : `${source}, record ${id}`],
  ]) {
    list.append(
      Object.assign(document.createElement('dt'), { textContent: term }),
      Object.assign(document.createElement('dd'), { textContent: text }),
    )
  }
  element('record').replaceChildren(heading, list)
}

/** What the team watches, as far as the token may read it. */
async function drawTeam() {
  const read = (path) =>
    api(path).then(
      ({ data }) => data,
      () => [],
    )
  const [properties, territories, exposures] = await Promise.all([
    read('/properties?per_page=100'),
    read('/territories?per_page=100'),
    read('/exposures?open=true&per_page=100'),
  ])
  const exposed = new Set(
    exposures.flatMap(({ subject, property, territory }) => [subject?.id, property?.id ?? property, territory?.id ?? territory]),
  )
  const places = properties
    .map((one) => ({ one, latitude: one.address?.latitude ?? one.latitude, longitude: one.address?.longitude ?? one.longitude }))
    .filter(({ latitude }) => typeof latitude === 'number')
    .map(({ one, latitude, longitude }) => feature({ type: 'Point', coordinates: [longitude, latitude] }, one, exposed))
  const areas = territories.filter(({ geometry }) => geometry).map((one) => feature(one.geometry, one, exposed))
  map.getSource('team').setData({ type: 'FeatureCollection', features: [...areas, ...places] })
}

const feature = (geometry, { id, name }, exposed) => ({ type: 'Feature', geometry, properties: { id, name, exposed: exposed.has(id) } })

element('load').addEventListener('click', async () => {
  const date = element('day').value
  if (!date) return say('Choose a day first.')
  const bounds = map.getBounds()
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
  if (east - west > BOX_MAX || north - south > BOX_MAX) return say('Zoom in: at most 6 by 6 degrees can be played.')
  try {
    day = await api(`/playback?date=${date}&south=${south}&west=${west}&north=${north}&east=${east}`)
    stop()
    const { reports, warnings } = day.context
    draw('reports', reports)
    element('player').hidden = day.moments.length === 0
    element('moment').max = String(Math.max(0, day.moments.length - 1))
    element('moment').value = '0'
    say(`Radar moments: ${day.moments.length}. Reports: ${reports.length}. Warnings: ${warnings.length}.`)
    step()
  } catch (fault) {
    say(fault.message)
  }
})
element('moment').addEventListener('input', step)
element('play').addEventListener('click', () => (timer ? stop() : play()))

function play() {
  element('play').textContent = 'Pause'
  element('play').setAttribute('aria-pressed', 'true')
  timer = setInterval(() => {
    element('moment').value = String((Number(element('moment').value) + 1) % day.moments.length)
    step()
  }, MOMENT_MS)
}

function stop() {
  clearInterval(timer)
  timer = 0
  element('play').textContent = 'Play'
  element('play').setAttribute('aria-pressed', 'false')
}

function step() {
  const moment = day.moments[Number(element('moment').value)]
  draw('moment', moment?.cells ?? [])
  element('clock').textContent = moment ? moment.at.replace('T', ' ').replace(/:\d\dZ$/, ' UTC') : ''
}

function draw(source, places) {
  map.getSource(source).setData({
    type: 'FeatureCollection',
    features: places.map(({ latitude, longitude, ...properties }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties,
    })),
  })
}
