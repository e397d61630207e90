import { api, useToken } from '/map/api.js'
import { chooseGround } from '/map/basemap.js'
import { say, sayFault, watchFaults } from '/map/faults.js'
import { legend, paintLegend, switchedOff, switchOff } from '/map/legend.js'
import { keepLink, linkedView, linkOf } from '/map/link.js'
import { sayMadeUp } from '/map/made-up.js'
import * as maplibre from '/map/maplibre-gl.mjs'
import { isMeasuring, leaveMeasure, measure, measureTo } from '/map/measure.js'
import { sayMissing } from '/map/missing.js'
import { element, isBusy, made, setBusy } from '/map/page.js'
import { leaveDay, loadDay, player, shownMoment } from '/map/player.js'
import { showPosition, whereAmI } from '/map/position.js'
import { closeRecord, showRecords } from '/map/record.js'
import { search } from '/map/search.js'
import { followShades } from '/map/shades.js'
import { picked, repaint, styleOf } from '/map/style.js'
import { drawTeam } from '/map/team.js'
import { serveTiles } from '/map/tiles.js'
import { sayUndrawn, watchWarnings } from '/map/warnings.js'

/** The contiguous states. */
const HOME = [-125, 24, -66, 50]
/** Pixels around a click within which a record is selected. */
const REACH = 6
/** Zooms for a found address and a found town. */
const [NEAR, TOWN] = [14, 11]
/** Window width in pixels below which the lower edge of the map has no room for all controls. */
const NARROW_PX = 900

if (!canDraw()) {
  for (const id of ['enter', 'keys']) element(id).hidden = true
  say(
    'This browser cannot draw the map. Turn on graphics acceleration (WebGL 2) in its settings, or open the page in another browser. The console has storm days, reports and exposures in words, too.',
    true,
  )
}

element('enter').addEventListener('submit', async (event) => {
  event.preventDefault()
  if (isBusy(element('open'))) return
  setBusy(element('open'), true)
  say('Connecting to the service …')
  try {
    useToken(element('token').value.trim())
    const [ground] = await Promise.all([chooseGround(), api('/account')])
    element('token').value = ''
    for (const id of ['controls', 'top', 'tools', 'position']) element(id).hidden = false
    element('enter').hidden = true
    say('')
    // The form, which had the focus, is gone.
    open(ground).getCanvas().focus({ preventScroll: true })
  } catch ({ message }) {
    say(message, true)
    element('token').focus()
    element('token').select()
  } finally {
    setBusy(element('open'), false)
  }
})

function canDraw() {
  return document.createElement('canvas').getContext('webgl2') !== null
}

const sayWait = (seconds) => say(`Rate limit reached: the rest of the map loads in ${seconds} s.`)

function open(ground) {
  serveTiles(maplibre, sayWait)
  const linked = linkedView()
  const map = new maplibre.Map({
    container: 'map',
    ...(linked.place ?? { bounds: HOME }),
    maxZoom: 16,
    attributionControl: { compact: true },
    // The browser prints the picture that was drawn last.
    canvasContextAttributes: { preserveDrawingBuffer: true },
    // With reduced motion, labels appear without fading.
    ...(matchMedia('(prefers-reduced-motion: reduce)').matches && { fadeDuration: 0 }),
    style: styleOf(ground),
  })
  map.addControl(new maplibre.NavigationControl({ showCompass: false }))
  map.addControl(new maplibre.ScaleControl({ unit: 'imperial' }))
  map.addControl(coordinates, 'bottom-left')
  // Before the first tiles arrive, which may take a minute at the rate limit: what a user sets meanwhile stays.
  map.once('style.load', () => {
    drawTeam(map)
    watchWarnings(map)
    restore(map, linked)
  })
  map.on('load', () => innerWidth < NARROW_PX && foldAttribution())
  map.on('dataloading', ({ sourceId }) => {
    element('stage').classList.add('loading')
    // What is on its way may be what was missing.
    if (sourceId === 'archive') element('missing').textContent = ''
  })
  map.on('idle', () => settle(map))
  watchFaults(map)
  const onChange = () => keepLink(map, viewShown)
  map.on('moveend', onChange)
  legend(map, onChange)
  player(map, onChange)
  showPosition(map)
  measure(map)
  answerClicks(map)
  offerPlaces(map)
  addEventListener('hashchange', () => restore(map, linkedView()))
  followShades(() => {
    repaint(map)
    paintLegend()
    // The print shows what is drawn now.
    map.redraw()
  })
  map.getCanvas().setAttribute('aria-describedby', 'keys')
  // For tests that drive the page.
  window.weatherMap = map
  return map
}

const viewShown = () => ({ ...shownMoment(), off: switchedOff() })

/** On a narrow screen it would cover the scale, so its button opens it. */
function foldAttribution() {
  const attribution = document.querySelector('.maplibregl-ctrl-attrib')
  attribution?.classList.remove('maplibregl-compact-show')
  attribution?.removeAttribute('open')
}

/** The coordinates as a control of the map, above its scale. */
const coordinates = {
  onAdd() {
    element('position').classList.add('maplibregl-ctrl')
    return element('position')
  },
  onRemove() {},
}

/** Shows the view of a link. */
function restore(map, { place, day, moment, off, filters }) {
  if (place) map.jumpTo(place)
  switchOff(off)
  for (const [id, value] of Object.entries(filters)) {
    element(id).value = value || element(id).defaultValue
    element(id).dispatchEvent(new Event('change'))
  }
  if (!day) return leaveDay(map)
  element('day').value = day
  loadDay(map, moment)
}

function answerClicks(map) {
  const show = (point) => (isMeasuring() ? measureTo(map, map.unproject([point.x, point.y])) : showAt(map, point))
  map.on('click', ({ point }) => show(point))
  map.getCanvas().addEventListener('keydown', ({ key }) => {
    const { clientWidth, clientHeight } = map.getContainer()
    if (key === 'Enter') show({ x: clientWidth / 2, y: clientHeight / 2 })
  })
  element('stage').addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (isMeasuring()) leaveMeasure(map)
    else leaveRecord(map)
  })
  element('close').addEventListener('click', () => leaveRecord(map))
}

/** Closes the record and focuses the map: otherwise a keyboard user's focus would move to the top of the page. */
function leaveRecord(map) {
  if (element('record').hidden) return
  closeRecord()
  map.getCanvas().focus({ preventScroll: true })
}

function showAt(map, { x, y }, name) {
  showRecords(featuresAt(map, { x, y }), map.unproject([x, y]).wrap(), name)
}

function featuresAt(map, { x, y }) {
  const around = [
    [x - REACH, y - REACH],
    [x + REACH, y + REACH],
  ]
  return map.queryRenderedFeatures(around, { layers: picked })
}

/** Search, the browser's position, the link and the printer. */
function offerPlaces(map) {
  const marker = new maplibre.Marker({ color: '#0f6e79' })
  const goTo = ({ label, latitude, longitude, isTown, note = '' }) => {
    marker.setLngLat([longitude, latitude]).addTo(map)
    marker.getElement().setAttribute('aria-label', label ?? 'Where you are')
    sayNotice(note)
    map.jumpTo({ center: [longitude, latitude], zoom: Math.max(isTown ? TOWN : NEAR, isTown ? 0 : map.getZoom()) })
    showRecords([], map.getCenter(), label ?? 'Where you are')
    map.getCanvas().focus({ preventScroll: true })
  }
  let sought = 0
  /** Guards against late responses: one would move the map, and take the focus from a user who already types something else. */
  const begin = () => {
    const mine = ++sought
    sayNotice('')
    return () => mine === sought
  }
  search(begin, goTo, sayNotice)
  element('locate').addEventListener('click', () => whereAmI(begin(), goTo, sayNotice))
  element('share').addEventListener('click', async () => {
    const link = new URL(linkOf(map, viewShown()), location.href).href
    history.replaceState(null, '', link)
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    )
    sayNotice(
      copied
        ? 'The link to this view is copied; it contains no token.'
        : 'The address bar has the link to this view; it contains no token.',
    )
  })
  element('print').addEventListener('click', () => print())
}

function sayNotice(sentence, wrong = false) {
  element('notice').replaceChildren(...(sentence ? [made('span', { textContent: sentence })] : []))
  element('notice').classList.toggle('wrong', wrong)
}

function settle(map) {
  element('stage').classList.remove('loading')
  sayFault(map)
  sayMissing(map)
  sayMadeUp(map)
  sayUndrawn(map)
}
