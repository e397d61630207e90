import { api, useToken } from '/map/api.js'
import { legend, paintLegend } from '/map/legend.js'
import * as maplibre from '/map/maplibre-gl.mjs'
import { sayMissing } from '/map/missing.js'
import { element } from '/map/page.js'
import { player } from '/map/player.js'
import { closeRecord, showRecords } from '/map/record.js'
import { bordersOf, followShades, picked, styleOf } from '/map/style.js'
import { drawTeam } from '/map/team.js'
import { failedTiles, serveTiles } from '/map/tiles.js'

/** The contiguous states. */
const HOME = [-125, 24, -66, 50]
/** Pixels around a click in which a record is meant. */
const REACH = 6

if (!canDraw()) {
  element('enter').hidden = true
  say(
    'This browser cannot draw the map. Turn on graphics acceleration (WebGL 2) in its settings, or open the page in another browser.',
    true,
  )
}

element('enter').addEventListener('submit', async (event) => {
  event.preventDefault()
  element('open').disabled = true
  say('Asking the service …')
  try {
    useToken(element('token').value.trim())
    await api('/account')
    element('token').value = ''
    element('enter').hidden = true
    element('controls').hidden = false
    say('')
    open()
  } catch ({ message }) {
    say(message, true)
    element('token').select()
  } finally {
    element('open').disabled = false
  }
})

function canDraw() {
  return document.createElement('canvas').getContext('webgl2') !== null
}

function say(sentence, wrong = false) {
  const said = element('said')
  // A sentence written again would be read out again.
  if (said.textContent !== sentence) said.textContent = sentence
  said.classList.toggle('wrong', wrong)
}

const sayWait = (seconds) => say(`Many requests in a minute: the rest of the map comes in ${seconds} s.`)

function open() {
  serveTiles(maplibre, sayWait)
  const map = new maplibre.Map({
    container: 'map',
    bounds: HOME,
    maxZoom: 16,
    attributionControl: false,
    style: styleOf(),
  })
  map.addControl(new maplibre.NavigationControl({ showCompass: false }))
  map.addControl(new maplibre.ScaleControl({ unit: 'imperial' }))
  map.on('load', () => drawTeam(map))
  map.on('click', ({ point }) => showAt(map, point))
  map.on('error', (fault) => hear(map, fault))
  map.on('dataloading', ({ sourceId }) => {
    element('stage').classList.add('loading')
    // What is on its way may be what was missing.
    if (sourceId === 'archive') element('missing').textContent = ''
  })
  map.on('idle', () => settle(map))
  map.on('moveend', () => tryAgain(map))
  addEventListener('online', () => tryAgain(map))
  map.getCanvas().addEventListener('keydown', ({ key }) => {
    const { clientWidth, clientHeight } = map.getContainer()
    if (key === 'Enter') showAt(map, { x: clientWidth / 2, y: clientHeight / 2 })
  })
  element('stage').addEventListener('keydown', ({ key }) => key === 'Escape' && leaveRecord(map))
  element('close').addEventListener('click', () => leaveRecord(map))
  legend(map)
  player(map)
  followShades(map, paintLegend)
  // For those who drive the page.
  window.weatherMap = map
}

/** Back to where it was picked: who goes by keyboard would else stand at the top of the page. */
function leaveRecord(map) {
  if (element('record').hidden) return
  closeRecord()
  map.getCanvas().focus({ preventScroll: true })
}

function showAt(map, { x, y }) {
  showRecords(featuresAt(map, { x, y }), map.unproject([x, y]).wrap())
}

function featuresAt(map, { x, y }) {
  const around = [
    [x - REACH, y - REACH],
    [x + REACH, y + REACH],
  ]
  return map.queryRenderedFeatures(around, { layers: picked })
}

/** Sources of borders that did not come. */
const withoutBorders = new Set()

function hear(map, { sourceId, tile }) {
  if (sourceId in map.getStyle().sources && !tile) withoutBorders.add(sourceId)
  sayFault(map)
}

function settle(map) {
  element('stage').classList.remove('loading')
  sayFault(map)
  sayMissing(map)
}

const faults = {
  401: 'The token is no longer accepted: load the page anew and enter another.',
  403: 'This token lacks the ability maps:read.',
}

/** Says what keeps the map from being whole; nothing once it is. */
function sayFault(map) {
  const failed = failedTiles(map)
  if (failed.length === 0 && withoutBorders.size === 0) return say('')
  const refused = failed.find(({ status }) => faults[status])
  say(faults[refused?.status] ?? 'A part of the map could not be loaded: move the map to try again.', true)
}

/** Asks again for what did not come and was not refused for good. */
function tryAgain(map) {
  const tiles = failedTiles(map).filter(({ status }) => !faults[status])
  if (tiles.length > 0) map.refreshTiles('archive', tiles)
  for (const name of withoutBorders) map.getSource(name).setData(bordersOf(name))
  withoutBorders.clear()
}
