import { graph } from '/map/api.js'
import { element, made } from '/map/page.js'

/** Miles, the nearest first. */
const RADII = [1, 3, 10]
/** Before the first year of the archive: the plan limits how far back the search goes. */
const FIRST_DAY = '1950-01-01'
const GUAM_AHEAD_MS = 36_000_000
/** Decimals of a degree: a hundred thousandth is a yard. */
const DECIMALS = 5

const DAY = 'date records hail { ground { range } radar { range } } wind { ground { range } instrument { range } } tornado'
/** One preview contains the narrower circles, because previews count against a limit. */
const AROUND = `query ($latitude: Float!, $longitude: Float!, $start: Date!, $end: Date!) {
  reportPreview(latitude: $latitude, longitude: $longitude, window_start: $start, window_end: $end, radius_miles: ${RADII.at(-1)}) {
    failure_message window { start end radius_miles } coverage { summary }
    ${RADII.map((miles) => `within_${miles}: within(miles: ${miles}) { radius_miles event_count records_without_point day_count days { ${DAY} } }`).join(' ')} } }`

/** The place of the card: a late response may belong to another place. */
let place = null
/** The place of the current search: a second click would count as another preview. */
let searched = null

element('search-around').addEventListener('click', searchAround)

/** Names a place, and offers to search around it and to make a report of it. Searches count against a limit, so none starts without a click. */
export function startAround({ lat, lng }, name) {
  place = { latitude: Number(lat.toFixed(DECIMALS)), longitude: Number(lng.toFixed(DECIMALS)) }
  element('here').textContent = name
  element('coordinates').textContent = `${place.latitude}, ${place.longitude}`
  element('make-report').href = `/map?report=${lat.toFixed(DECIMALS)},${lng.toFixed(DECIMALS)}`
  element('recorded-around').replaceChildren()
}

export function leaveAround() {
  place = null
}

async function searchAround() {
  if (searched === place) return
  const asked = place
  searched = asked
  const say = (...parts) => asked === place && element('recorded-around').replaceChildren(...parts)
  say(made('p', { textContent: 'Searching the archive …' }))
  // The latest date of any place in the United States: Guam is ten hours ahead of UTC. The service cuts off a day that has not begun there yet.
  const end = new Date(Date.now() + GUAM_AHEAD_MS).toISOString().slice(0, 10)
  try {
    const { reportPreview } = await graph(AROUND, { ...asked, start: FIRST_DAY, end })
    say(...described(reportPreview))
  } catch ({ message }) {
    say(made('p', { className: 'wrong', textContent: message }))
  } finally {
    if (searched === asked) searched = null
  }
}

function described(preview) {
  if (preview.failure_message !== null) return [made('p', { textContent: preview.failure_message })]
  const { start, end, radius_miles } = preview.window
  const summary = preview.coverage?.summary
  // The plan may have narrowed the circle: the area outside was not searched.
  const circles = RADII.map((miles) => preview[`within_${miles}`]).filter((one) => one.radius_miles <= radius_miles)
  const areal = circles.at(-1)?.records_without_point ?? 0
  const arealText = `Besides, ${counted(areal, 'record')} ${areal === 1 ? 'names' : 'name'} a county or a forecast zone here, and no point.`
  return [
    ...circles.flatMap(circle),
    ...(areal > 0 ? [made('p', { textContent: arealText })] : []),
    made('p', { className: 'note', textContent: `${start} to ${end}. A day without records is not proof that nothing happened.` }),
    ...(summary ? [made('p', { className: 'note', textContent: summary })] : []),
  ]
}

function circle({ radius_miles, event_count, records_without_point, day_count, days }) {
  const heading = made('h3', { textContent: `Within ${radius_miles} mi` })
  const none = records_without_point > 0 ? 'No record that names a point.' : 'No records.'
  if (event_count === 0) return [heading, made('p', { textContent: none })]
  const list = made('ul')
  list.append(...days.map((day) => made('li', { textContent: `${day.date}: ${seenOn(day)}` })))
  const whole = made('details', { open: days.length <= OPEN_DAYS_MAX })
  const shown = days.length < day_count ? `; the ${days.length} most severe of them` : ''
  whole.append(made('summary', { textContent: `${counted(event_count, 'record')} on ${counted(day_count, 'day')}${shown}` }), list)
  return [heading, whole]
}

/** A list of at most this many days is open at first: three such lists fill the card. */
const OPEN_DAYS_MAX = 5

/** Returns the records of a day, each with its kind of source. */
function seenOn({ records, hail, wind, tornado }) {
  const said = [
    ...(tornado ? ['tornado reported'] : []),
    ...sized('hail', hail.ground, 'reported or measured'),
    ...sized('hail', hail.radar, 'estimated by radar'),
    ...sized('wind', wind.ground, 'reported'),
    ...sized('wind', wind.instrument, 'measured by an instrument'),
  ]
  return said.length > 0 ? said.join('; ') : counted(records, 'record')
}

const figures = { hail: 'size', wind: 'speed' }
const sized = (name, band, how) => (band ? [`${name} ${band.range ?? `of no stated ${figures[name]}`} ${how}`] : [])

const counted = (number, name) => `${number.toLocaleString('en-US')} ${name}${number === 1 ? '' : 's'}`
