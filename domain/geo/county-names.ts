import { type County, countiesOf } from '#domain/geo/counties.ts'
import { groupBy } from '#domain/kernel/group-by.ts'

/**
 * Returns the counties of a state that a source's text names: one ("ST. CLAIR", "La Salle Parish"), or several ("BLOUNT AND LOUDON",
 * "Ida, Sac and Calhoun"). If an independent city and a county share a name, both are returned. Unknown names are skipped.
 * @param state two-letter code
 */
export function countiesNamed(state: string, text: string): County[] {
  const named = byName(state)
  const whole = lookUp(named, text)
  return whole.length > 0 ? whole : text.split(SEPARATORS).flatMap((part) => lookUp(named, part))
}

const SEPARATORS = /,|;|\/|&| and /i
/** Words beside a name that are not part of it: one or two ("BALTIMORE CITY (C)"). */
const KIND = /^city of |( (co(unty|\.)?|par(ish|\.)?|borough|census area|municipality|municipio|city|\(c\))){1,2}$/i

function lookUp(named: Map<string, County[]>, text: string): County[] {
  return named.get(folded(text)) ?? named.get(folded(text.trim().replace(KIND, ''))) ?? []
}

const states = new Map<string, Map<string, County[]>>()

function byName(state: string): Map<string, County[]> {
  let named = states.get(state)
  if (!named) {
    named = groupBy(countiesOf(state), ({ name }) => folded(name))
    states.set(state, named)
  }
  return named
}

/** Keeps only letters, so that DeKalb, DE KALB and De Kalb are the same name. */
function folded(name: string): string {
  return name
    .trim()
    .normalize('NFD')
    .toLowerCase()
    .replace(/^saint /, 'st ')
    .replace(/[^a-z]/g, '')
}
