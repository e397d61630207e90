import { api } from '/map/api.js'
import { filter, playedDay } from '/map/legend.js'
import { element, isBusy, placesOf, setBusy } from '/map/page.js'
import { closeRecord } from '/map/record.js'
import { stepBackRadar } from '/map/style.js'
import { clearSwaths, drawSwaths, swathsInView } from '/map/swaths.js'
import { clockOf, dayIn, dayOf, read } from '/map/times.js'
import { boxInView } from '/map/view.js'
import { showWarningsIn } from '/map/warnings.js'

/** Milliseconds for each moment at normal speed: a day of 288 moments takes less than a minute. */
const MOMENT_MS = 200
/** Maximum size of a box that can be played, in degrees. */
const BOX_MAX = 6

let moments = []
/** Warnings of the day, each with its label and when it was issued and expired. */
let warnings = []
/** The hours of which a single moment shows the largest values; null if moments are single points in time. */
let hours = null
/** IANA time zone of the current day. */
let zone = 'UTC'
let timer = 0
/** Counts the loads: a late response belongs to an earlier load. */
let loads = 0
let changed = () => {}

/**
 * Sets up the controls that load a storm day for the current view, and play it.
 * @param onChange is called when another day or moment is shown
 */
export function player(map, onChange) {
  changed = onChange
  // The reader's own day. The service knows the day at the place that is viewed, and checks a date that is typed by hand.
  element('day').addEventListener('focus', ({ target }) => {
    target.max = dayOf(new Date())
  })
  const loadUnlessBusy = () => isBusy(element('load')) || loadDay(map)
  element('load').addEventListener('click', loadUnlessBusy)
  element('day').addEventListener('keydown', ({ key }) => key === 'Enter' && loadUnlessBusy())
  element('unload').addEventListener('click', () => {
    leaveDay(map)
    // The button disappears: without this, a keyboard user's focus would move to the top of the page.
    element('load').focus()
  })
  element('moment').addEventListener('input', () => step(map))
  element('step-back').addEventListener('click', () => stepBy(map, -1))
  element('step-on').addEventListener('click', () => stepBy(map, 1))
  element('play').addEventListener('click', () => (timer ? stop() : play(map)))
  element('speed').addEventListener('change', () => timer && play(map))
}

/** Returns the current day and moment as a link contains them; empty if there is none. */
export const shownMoment = () => ({ day: playedDay.date, moment: hours ? '' : (moments[Number(element('moment').value)]?.at ?? '') })

const showStatus = (sentence) => {
  element('loaded').textContent = sentence
}

/** Shows all days again, if one is shown or on its way. */
export function leaveDay(map) {
  if (!playedDay.date && !isBusy(element('load'))) return
  loads++
  setBusy(element('load'), false)
  unload(map)
  changed()
}

/** Loads the chosen day for the current view, and shows a moment of it: the first by default. */
export async function loadDay(map, moment = '') {
  const mine = ++loads
  try {
    await load(map, mine)
    if (mine !== loads) return
    const at = moments.findIndex(({ at }) => at === moment)
    if (at < 0) return
    element('moment').value = String(at)
    step(map)
  } catch ({ message }) {
    if (mine === loads) showStatus(message)
  } finally {
    if (mine === loads) setBusy(element('load'), false)
    changed()
  }
}

async function load(map, mine) {
  // Otherwise the previous day would play on under the date of a refused one.
  unload(map)
  const date = element('day').value
  if (!date) return showStatus('Choose a day first.')
  const { south, west, north, east } = boxInView(map)
  if (east - west > BOX_MAX || north - south > BOX_MAX) return showStatus('Zoom in: at most 6 by 6 degrees can be played.')
  showStatus('Loading the day …')
  setBusy(element('load'), true)
  const [{ context, ...day }, swaths] = await Promise.all([
    api(`/playback?date=${date}&south=${south}&west=${west}&north=${north}&east=${east}`),
    swathsInView(map, date),
  ])
  if (mine !== loads) return
  const bands = drawSwaths(map, swaths)
  zone = day.meta.timezone
  show(map, day.moments, context, day.meta.largest_of)
  showDay(map, day.date)
  const thinned = day.meta.thinned ? ' The largest are shown.' : ''
  if (isToCome(day.date)) return showStatus('This day has not begun here yet.')
  const reports = `Reports: ${numberOf(context.reports)}${arealOf(day.meta)}.`
  const held = `${radarOf(day.meta, bands)} ${reports} Warnings: ${numberOf(warnings)}.${thinned}`
  showStatus(context.reports.length > 0 ? held : `${held} That is not proof that nothing happened.`)
}

/** Whether a day is still in the future at the place that is viewed. */
const isToCome = (date) => date > dayOf(new Date(), zone)

/** Missing radar data does not mean that radar saw no hail. */
function radarOf({ count, available, largest_of }, bands) {
  if (largest_of) return 'Radar: the largest estimates of 24 hours, not single moments.'
  if (available) return `Radar moments: ${count}.`
  return bands > 0
    ? 'The radar moments of this day are no longer stored; the swaths show the largest estimates.'
    : 'No radar moments of this day are stored here.'
}

/** Reports from 1993 to 1995 and of winter weather have no place on a map. */
function arealOf({ reports_without_point: count }) {
  return count > 0 ? ` with a point; ${count} in or beside this view ${count === 1 ? 'names' : 'name'} a county or a forecast zone` : ''
}

/** Missing data does not mean that nothing happened. */
const numberOf = ({ length }) => (length > 0 ? length : 'none stored')

function unload(map) {
  show(map, [], { reports: [], warnings: [] }, null)
  clearSwaths(map)
  showDay(map, '')
  showStatus('')
}

/** Hides the records of all other days, including a selected one; an empty day shows them again. */
function showDay(map, date) {
  playedDay.date = date
  element('storm-day').hidden = date === ''
  element('day-shown').textContent = date
  if (date) closeRecord()
  filter(map)
  drawWarnings(map)
}

function show(map, day, context, largestOf) {
  stop()
  moments = day
  warnings = context.warnings
  hours = largestOf
  map.getSource('reports').setData(placesOf(context.reports))
  stepBackRadar(map, moments.length > 0)
  element('player').hidden = moments.length === 0
  element('moment').max = String(Math.max(0, moments.length - 1))
  element('moment').value = '0'
  step(map)
}

function play(map) {
  clearInterval(timer)
  element('play').textContent = 'Pause'
  element('play').setAttribute('aria-pressed', 'true')
  // Five moments a second are too many to announce; the one at which playback stops is announced.
  element('clock').ariaLive = 'off'
  timer = setInterval(() => stepBy(map, 1), MOMENT_MS / Number(element('speed').value))
}

function stop() {
  clearInterval(timer)
  timer = 0
  element('play').textContent = 'Play'
  element('play').setAttribute('aria-pressed', 'false')
  element('clock').ariaLive = 'polite'
}

/** The first moment follows the last. */
function stepBy(map, by) {
  element('moment').value = String((Number(element('moment').value) + by + moments.length) % moments.length)
  step(map)
}

function step(map) {
  const moment = moments[Number(element('moment').value)]
  map.getSource('moment').setData(placesOf(moment?.cells ?? []))
  const clock = hours ? `Largest of ${read(hours.from, zone)} to ${read(hours.until, zone)}` : moment ? read(moment.at, zone) : ''
  element('clock').textContent = clock
  element('moment').setAttribute('aria-valuetext', clock)
  sayWarnings()
  drawWarnings(map)
  changed()
}

/** The moment that is shown; undefined if there is none, or if it covers many hours. */
const momentAt = () => (hours ? undefined : moments[Number(element('moment').value)]?.at)

/** Shows the warnings in force at the moment, or on the day if there is no moment; without a day, those in force now. */
function drawWarnings(map) {
  const { date } = playedDay
  const at = momentAt()
  showWarningsIn(map, date ? (at ? [at, at] : dayIn(date, zone)) : null)
}

/** The warnings in force at a moment with their times; those of the whole day if there is no moment. */
function sayWarnings() {
  const at = momentAt()
  const inForce = warnings.filter(({ issued, expires }) => at === undefined || (issued <= at && at < expires))
  const said = inForce.map(({ label, issued, expires }) => `${label}, ${clockOf(issued, zone)} to ${clockOf(expires, zone)}`)
  const when = at === undefined ? 'Warnings of the day' : 'In force'
  element('warned').textContent = said.length > 0 ? `${when}: ${said.join('; ')}.` : ''
}
