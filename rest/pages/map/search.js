import { api, graph } from '/map/api.js'
import { element, made } from '/map/page.js'

/** Milliseconds without a key press before places are requested: each request counts. */
const PAUSE_MS = 250
/** Minimum number of letters for a search of places. */
const LETTERS_MIN = 2

const LOCATE = 'query ($address: String!) { locate(address: $address) { label latitude longitude precision failure_message } }'
/** What the marker shows if an address was not located to the house. */
const NEARLY = { range: 'a point along its street', zip: 'the centre of its ZIP code', city: 'the centre of the town' }

let choices = []
/** Index of the choice that the arrows are at; -1 for the text itself. */
let active = -1
let asked = 0
let timer = 0

const input = element('sought')
const list = element('found')

/**
 * Lets a user search for a place or an address, and choose a result with the keyboard.
 * @param begin starts a search and cancels the one before; returns a function that tests whether this search is still the current one
 * @param found receives the choice: `label`, `latitude`, `longitude`, whether it is a town, and what the marker shows
 * @param say shows a sentence
 */
export function search(begin, found, say) {
  const choose = (choice) => {
    close()
    if (choice.address) return locate(choice.address, begin(), found, say)
    begin()
    input.value = choice.full_name
    found({ ...choice, label: choice.full_name, isTown: true })
  }
  input.addEventListener('input', () => {
    // With new text, both the pending request and the line selected by the arrows are obsolete.
    begin()
    active = -1
    mark()
    clearTimeout(timer)
    timer = setTimeout(() => suggest(choose), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => press(event))
  input.addEventListener('blur', () => setTimeout(() => document.activeElement === input || close(), PAUSE_MS))
  element('search').addEventListener('submit', async (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (text === '') return
    if (active >= 0) return choose(choices[active])
    // A user who is faster than the list means its first entry.
    if (/\d/.test(text)) return choose({ address: text })
    const isMeant = begin()
    say('Looking up the place …')
    const [first] = await placesNamed(text).catch(() => [])
    if (isMeant()) choose(first ?? { address: text })
  })
}

const placesNamed = async (text) => (await api(`/places?${new URLSearchParams({ search: text })}`)).data

async function suggest(choose) {
  const text = input.value.trim()
  const mine = ++asked
  if (text.length < LETTERS_MIN) return close()
  // A token without the ability for places can still look up addresses.
  const places = await placesNamed(text).catch(() => [])
  if (mine !== asked || document.activeElement !== input) return
  choices = [...places.slice(0, 7), { address: text }]
  active = -1
  list.replaceChildren(...choices.map((choice, index) => option(choice, index, choose)))
  show(true)
}

function option(choice, index, choose) {
  const text = choice.address ? `Find the address “${choice.address}”` : choice.full_name
  const line = made('div', { id: `found-${index}`, textContent: text })
  line.setAttribute('role', 'option')
  line.setAttribute('aria-selected', 'false')
  // The focus stays in the field, so that the list stays open.
  line.addEventListener('mousedown', (event) => event.preventDefault())
  line.addEventListener('click', () => choose(choice))
  return line
}

function press(event) {
  if (event.key === 'Escape' && !list.hidden) {
    event.stopPropagation()
    return close()
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!by || list.hidden) return
  event.preventDefault()
  // The text itself comes before the first choice and after the last.
  const stops = choices.length + 1
  active = ((active + 1 + by + stops) % stops) - 1
  mark()
}

function mark() {
  for (const [index, line] of [...list.children].entries()) line.setAttribute('aria-selected', String(index === active))
  if (active < 0) return input.removeAttribute('aria-activedescendant')
  input.setAttribute('aria-activedescendant', `found-${active}`)
  list.children[active].scrollIntoView({ block: 'nearest' })
}

function show(open) {
  list.hidden = !open
  input.setAttribute('aria-expanded', String(open))
  if (!open) input.removeAttribute('aria-activedescendant')
}

function close() {
  clearTimeout(timer)
  asked++
  active = -1
  show(false)
}

async function locate(address, isMeant, found, say) {
  say('Looking up the address …')
  const place = await graph(LOCATE, { address }).then(
    (data) => data.locate,
    ({ message }) => ({ failure_message: message }),
  )
  if (!isMeant()) return
  if (place.failure_message !== null) return say(place.failure_message, true)
  const nearly = NEARLY[place.precision]
  found({ ...place, isTown: place.precision === 'city', note: nearly ? `Found as ${nearly}.` : '' })
}
