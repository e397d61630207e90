import { stateByName } from '#domain/geo/states.ts'
import { present } from '#domain/kernel/present.ts'
import { citiesNamed } from '#domain/places/cities.ts'
import { fold } from '#domain/places/fold.ts'

/**
 * Whether a line ends with a country other than the United States, a Canadian province, or a foreign postcode.
 * @param numbered whether it begins with a house number
 */
export function isOutsideUs(line: string, numbered: boolean): boolean {
  if (CANADIAN_POSTCODE.test(line) || BRITISH_POSTCODE.test(line)) return true
  const parts = line.split(',').map(fold)
  const last = present(parts.at(-1))
  if (countries().has(last)) return parts.length > (numbered ? 2 : 1) || !isCommonTown(last)
  return parts.length > 1 && PROVINCES.has(last)
}

/**
 * Whether several American towns have a name: "100 Main St, Lebanon" may be in any of twelve states. If there is only one, as in
 * Italy, TX, the country is meant: a town would be located there without a word.
 */
function isCommonTown(name: string): boolean {
  return citiesNamed(name, null).length > 1
}

/** Whether a two-letter postal code belongs to no US state: the armed forces, and the freely associated states. */
export function isOverseas(code: string): boolean {
  return OVERSEAS.has(code.toUpperCase())
}

const CANADIAN_POSTCODE = /\b[a-ceghj-nprstvxy]\d[a-z] ?\d[a-z]\d$/i
const BRITISH_POSTCODE = /\b[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i
const OVERSEAS = new Set(['AA', 'AE', 'AP', 'FM', 'MH', 'PW'])
const PROVINCES = new Set([
  ...['ab', 'bc', 'mb', 'nb', 'nl', 'ns', 'nt', 'nu', 'on', 'pe', 'qc', 'sk', 'yt', 'alberta', 'british columbia', 'manitoba'],
  ...['new brunswick', 'newfoundland', 'nova scotia', 'nunavut', 'ontario', 'prince edward island', 'quebec', 'saskatchewan', 'yukon'],
])
/** Common names that are not in the Unicode tables. */
const OTHER_NAMES = ['uk', 'england', 'scotland', 'wales', 'great britain', 'uae', 'korea', 'czech republic', 'holland']
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const US_CODES = new Set(['US', 'UM', 'PR', 'GU', 'VI', 'AS', 'MP'])

let known: Set<string> | undefined

/** English names of all countries except the United States, folded; a name that is also a state's (Georgia) counts as the state. */
function countries(): Set<string> {
  if (known) return known
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second))
  const found = codes.filter((code) => !US_CODES.has(code)).flatMap((code) => names.of(code) ?? [])
  known = new Set([...found.filter((name) => !stateByName(name)).map(fold), ...OTHER_NAMES])
  return known
}
