import { written } from '/map/times.js'

/** A fill to be picked, and its edges. */
export const warningLayers = ['warnings', 'warnings-edges']

/** Milliseconds between updates of the warnings in force now. */
const MINUTE_MS = 60_000

/** From when to when they are shown, both included; null for now. */
let span = null

/** Shows the warnings in force now, updated every minute, unless a storm day is shown. */
export function watchWarnings(map) {
  filterWarnings(map)
  setInterval(() => span ?? filterWarnings(map), MINUTE_MS)
}

/** @param between texts of two moments, from and until, or null for now */
export function showWarningsIn(map, between) {
  span = between
  filterWarnings(map)
}

function filterWarnings(map) {
  const [from, until] = span ?? [written(Date.now()), written(Date.now())]
  for (const id of warningLayers) map.setFilter(id, ['all', ['<=', ['get', 'from'], until], ['>', ['get', 'until'], from]])
}
