import { api, useToken } from '/map/api.js'
import { legend, paintLegend } from '/map/legend.js'
import * as maplibre from '/map/maplibre-gl.mjs'
import { element } from '/map/page.js'
import { player } from '/map/player.js'
import { showRecord } from '/map/record.js'
import { followShades, points, styleOf } from '/map/style.js'
import { drawTeam } from '/map/team.js'
import { serveTiles } from '/map/tiles.js'

/** The contiguous states. */
const HOME = [-125, 24, -66, 50]
/** Pixels around a click in which a record is meant. */
const REACH = 6
/** What can be picked, the uppermost first. */
const picked = [...points].reverse().concat('tornado_paths', 'radar_hail')

element('enter').addEventListener('submit', async (event) => {
  event.preventDefault()
  useToken(element('token').value.trim())
  element('open').disabled = true
  say('Asking the service …')
  try {
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

function say(sentence, wrong = false) {
  element('said').textContent = sentence
  element('said').classList.toggle('wrong', wrong)
}

/** Whether what is said is that the map waits: it goes when the map is whole. */
let isWaiting = false

function sayWait(seconds) {
  isWaiting = true
  say(`Many requests in a minute: the rest of the map comes in ${seconds} s.`)
}

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
  map.on('click', ({ point }) => showRecord(featureAt(map, point)))
  map.on('error', ({ error }) => say(faultOf(error), true))
  map.on('dataloading', () => element('stage').classList.add('loading'))
  map.on('idle', () => settle(map))
  map.getCanvas().addEventListener('keydown', ({ key }) => {
    const { clientWidth, clientHeight } = map.getContainer()
    if (key === 'Enter') showRecord(featureAt(map, { x: clientWidth / 2, y: clientHeight / 2 }))
    if (key === 'Escape') showRecord(null)
  })
  legend(map)
  player(map)
  followShades(map, paintLegend)
  // For those who drive the page.
  window.weatherMap = map
}

function featureAt(map, { x, y }) {
  const around = [
    [x - REACH, y - REACH],
    [x + REACH, y + REACH],
  ]
  return map.queryRenderedFeatures(around, { layers: picked })[0] ?? null
}

function settle(map) {
  element('stage').classList.remove('loading')
  if (isWaiting) say('')
  isWaiting = false
  const shown = map.queryRenderedFeatures({ layers: picked }).length
  element('empty').textContent = shown > 0 ? '' : 'No records here: zoom out, move on, or ask for less.'
}

const faults = {
  401: 'The token is no longer accepted: load the page anew and enter another.',
  403: 'This token lacks the ability maps:read.',
}

const faultOf = ({ status }) => faults[status] ?? 'A part of the map could not be loaded: move the map to try again.'
