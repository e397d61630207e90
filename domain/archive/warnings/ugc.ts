import { stateByCode, stateByFips } from '#domain/geo/states.ts'

/** The counties and forecast zones named by Universal Geographic Codes (NWS Directive 10-1702). */
export interface Areas {
  /** Five digits. */
  county_fips: string[]
  /** State and number: TXZ119. */
  zones: string[]
}

/** @param codes such as TXC439 (a county) or TXZ119 (a forecast zone); others, including marine ones, are left out. */
export function areasOf(codes: Iterable<string>): Areas {
  const areas: Areas = { county_fips: [], zones: [] }
  for (const code of codes) {
    const [, state, kind, number] = /^([A-Z]{2})([CZ])(\d{3})$/.exec(code) ?? []
    const fips = marianas.has(code) ? stateByCode('MP')?.fips : state && stateByCode(state)?.fips
    if (!fips || number === '000') continue
    if (kind === 'C') areas.county_fips.push(`${fips}${number}`)
    else areas.zones.push(code)
  }
  return areas
}

/**
 * Guam's office files the Northern Mariana Islands under GU: as counties, with the last three digits of their own
 * codes, and as forecast zones: Rota, Saipan and Tinian; Rota, Tinian and Saipan.
 */
const marianas = new Set(['GUC100', 'GUC110', 'GUC120', 'GUZ002', 'GUZ003', 'GUZ004'])

/** Returns the codes of the states that areas are in, each once. */
export function statesOf({ county_fips, zones }: Areas): Set<string> {
  const states = [
    ...county_fips.map((fips) => stateByFips(fips.slice(0, 2))?.code),
    ...zones.map((zone) => (marianas.has(zone) ? 'MP' : zone.slice(0, 2))),
  ]
  return new Set(states.filter((state) => state !== undefined))
}

/** Areas of one segment: the widest winter warnings name about 150. */
const CODES_MAX = 2_000

/** Expands a product's code line: "TXC439-441-453-NMZ001>003-120045-" names six areas. Returns at most 2,000. */
export function expandCodes(line: string): string[] {
  const codes: string[] = []
  let prefix = ''
  for (const part of line.split('-')) {
    const [, letters, from, until] = /^([A-Z]{3})?(\d{3})(?:>(\d{3}))?$/.exec(part) ?? []
    if (!from) continue
    prefix = letters ?? prefix
    for (let number = Number(from); number <= Number(until ?? from) && codes.length < CODES_MAX; number++)
      codes.push(`${prefix}${String(number).padStart(3, '0')}`)
  }
  return codes
}
