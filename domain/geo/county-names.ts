import { type County, countiesOf } from '#domain/geo/counties.ts'
import { groupBy } from '#domain/kernel/group-by.ts'

/**
 * Returns the counties of a state that a source's text names: one ("ST. CLAIR", "La Salle Parish"), or several ("BLOUNT AND LOUDON",
 * "Ida, Sac and Calhoun"). If an independent city and a county share a name, both are returned. Unknown names are skipped.
 * @param state two-letter code
 */
export function countiesNamed(state: string, text: string): County[] {
  const countiesByName = byName(state)
  const matches = lookUp(countiesByName, text)
  return matches.length > 0 ? matches : text.split(SEPARATORS).flatMap((part) => lookUp(countiesByName, part))
}

const SEPARATORS = /,|;|\/|&| and /i
/** Words next to a name that are not part of it: one or two ("BALTIMORE CITY (C)"). */
const KIND = /^city of |( (co(unty|\.)?|par(ish|\.)?|borough|census area|municipality|municipio|city|\(c\))){1,2}$/i

function lookUp(countiesByName: Map<string, County[]>, text: string): County[] {
  return countiesByName.get(normalizeName(text)) ?? countiesByName.get(normalizeName(text.trim().replace(KIND, ''))) ?? []
}

const states = new Map<string, Map<string, County[]>>()

function byName(state: string): Map<string, County[]> {
  let countiesByName = states.get(state)
  if (!countiesByName) {
    countiesByName = groupBy(countiesOf(state), ({ name }) => normalizeName(name))
    states.set(state, countiesByName)
  }
  return countiesByName
}

/** Keeps only letters, so that DeKalb, DE KALB and De Kalb are the same name. */
function normalizeName(name: string): string {
  return name
    .trim()
    .normalize('NFD')
    .toLowerCase()
    .replace(/^saint /, 'st ')
    .replace(/[^a-z]/g, '')
}
