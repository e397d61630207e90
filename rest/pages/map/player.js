import { api } from '/map/api.js'
import { filter, playedDay } from '/map/legend.js'
import { element, placesOf } from '/map/page.js'
import { closeRecord } from '/map/record.js'
import { stepBackRadar } from '/map/style.js'

/** Milliseconds of a moment while the day plays: a day of 288 takes under a minute. */
const MOMENT_MS = 200
/** Degrees of a box that can be played at most. */
const BOX_MAX = 6

let moments = []
/** Of which hours the one moment shows the largest; null where moments are what they say. */
let hours = null
/** IANA zone of the day that is shown. */
let zone = 'UTC'
let timer = 0

/** Lets a storm day be loaded for what is in view, and played. */
export function player(map) {
  element('load').addEventListener('click', () => load(map).catch(({ message }) => showStatus(message)))
  element('unload').addEventListener('click', () => {
    unload(map)
    // The button goes: who goes by keyboard would else stand at the top of the page.
    element('load').focus()
  })
  element('moment').addEventListener('input', () => step(map))
  element('play').addEventListener('click', () => (timer ? stop() : play(map)))
}

const showStatus = (sentence) => {
  element('loaded').textContent = sentence
}

async function load(map) {
  // The day before would else play on under the date of one that was refused.
  unload(map)
  const date = element('day').value
  if (!date) return showStatus('Choose a day first.')
  const { south, west, north, east } = boxInView(map)
  if (east - west > BOX_MAX || north - south > BOX_MAX) return showStatus('Zoom in: at most 6 by 6 degrees can be played.')
  showStatus('Loading the day …')
  element('load').disabled = true
  const { context, ...day } = await api(`/playback?date=${date}&south=${south}&west=${west}&north=${north}&east=${east}`).finally(() => {
    element('load').disabled = false
  })
  zone = day.meta.timezone
  show(map, day.moments, context.reports, day.meta.largest_of)
  showDay(map, day.date)
  const thinned = day.meta.thinned ? ' The largest are shown.' : ''
  showStatus(`Radar moments: ${moments.length}. Reports: ${context.reports.length}. Warnings: ${context.warnings.length}.${thinned}`)
  element('player').scrollIntoView({ block: 'nearest' })
}

function unload(map) {
  show(map, [], [], null)
  showDay(map, '')
  showStatus('')
}

/** Hides the records of all other days, a picked one too; empty shows them again. */
function showDay(map, date) {
  playedDay.date = date
  element('unload').hidden = date === ''
  if (date) closeRecord()
  filter(map)
}

/** Degrees of the view. Where it lies over the 180th meridian, those of the side on which its middle is: a box cannot lie over it. */
function boxInView(map) {
  const bounds = map.getBounds()
  const [west, east] = [bounds.getWest(), bounds.getEast()]
  const around = 360 * Math.floor(((west + east) / 2 + 180) / 360)
  return {
    south: bounds.getSouth(),
    west: Math.max(-180, west - around),
    north: bounds.getNorth(),
    east: Math.min(180, east - around),
  }
}

function show(map, day, reports, largestOf) {
  stop()
  moments = day
  hours = largestOf
  map.getSource('reports').setData(placesOf(reports))
  stepBackRadar(map, moments.length > 0)
  element('player').hidden = moments.length === 0
  element('moment').max = String(Math.max(0, moments.length - 1))
  element('moment').value = '0'
  step(map)
}

function play(map) {
  element('play').textContent = 'Pause'
  element('play').setAttribute('aria-pressed', 'true')
  timer = setInterval(() => {
    element('moment').value = String((Number(element('moment').value) + 1) % moments.length)
    step(map)
  }, MOMENT_MS)
}

function stop() {
  clearInterval(timer)
  timer = 0
  element('play').textContent = 'Play'
  element('play').setAttribute('aria-pressed', 'false')
}

function step(map) {
  const moment = moments[Number(element('moment').value)]
  map.getSource('moment').setData(placesOf(moment?.cells ?? []))
  const clock = hours ? `Largest of ${read(hours.from)} to ${read(hours.until)}` : moment ? read(moment.at) : ''
  element('clock').textContent = clock
  element('moment').setAttribute('aria-valuetext', clock)
}

/** Local time beside UTC, whose date is shown where it is another. */
function read(at) {
  const [date, time] = [at.slice(0, 10), at.slice(11, 16)]
  const local = localOf(at)
  return `${local.date} ${local.time} ${local.zone} (${local.date === date ? '' : `${date} `}${time} UTC)`
}

function localOf(at) {
  const options = { timeZone: zone, timeZoneName: 'short', hourCycle: 'h23', year: 'numeric' }
  for (const part of ['month', 'day', 'hour', 'minute']) options[part] = '2-digit'
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(new Date(at))
  const { year, month, day, hour, minute, timeZoneName } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return { date: `${year}-${month}-${day}`, time: `${hour}:${minute}`, zone: timeZoneName }
}
