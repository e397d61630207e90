/** A state, the District, or a territory with weather records. */
export interface State {
  /** Two digits of FIPS 5-2. */
  fips: string
  /** Two-letter postal code. */
  code: string
  name: string
  /** IANA zone of most of its population; the zone of a place is derived from its point (zones.ts). */
  timezone: string
  /** UTC offset of that zone's standard time, in hours. */
  standard_offset_hours: number
}

/** The state with a FIPS code of one or two digits ("1", "01"). */
export function stateByFips(fips: string): State | null {
  return byFips.get(fips.padStart(2, '0')) ?? null
}

/** The state with a two-letter code, in any case. */
export function stateByCode(code: string): State | null {
  return byCode.get(code.toUpperCase()) ?? null
}

/** The state with a full name, in any case. */
export function stateByName(name: string): State | null {
  return byName.get(name.trim().toUpperCase().replace(/\s+/g, ' ')) ?? null
}

const EASTERN = ['America/New_York', -5] as const
const CENTRAL = ['America/Chicago', -6] as const
const MOUNTAIN = ['America/Denver', -7] as const
const PACIFIC = ['America/Los_Angeles', -8] as const
const ATLANTIC = ['America/Puerto_Rico', -4] as const
const CHAMORRO = ['Pacific/Guam', 10] as const

export const states: readonly State[] = [
  state('01', 'AL', 'Alabama', CENTRAL),
  state('02', 'AK', 'Alaska', ['America/Anchorage', -9]),
  state('04', 'AZ', 'Arizona', ['America/Phoenix', -7]),
  state('05', 'AR', 'Arkansas', CENTRAL),
  state('06', 'CA', 'California', PACIFIC),
  state('08', 'CO', 'Colorado', MOUNTAIN),
  state('09', 'CT', 'Connecticut', EASTERN),
  state('10', 'DE', 'Delaware', EASTERN),
  state('11', 'DC', 'District of Columbia', EASTERN),
  state('12', 'FL', 'Florida', EASTERN),
  state('13', 'GA', 'Georgia', EASTERN),
  state('15', 'HI', 'Hawaii', ['Pacific/Honolulu', -10]),
  state('16', 'ID', 'Idaho', ['America/Boise', -7]),
  state('17', 'IL', 'Illinois', CENTRAL),
  state('18', 'IN', 'Indiana', ['America/Indiana/Indianapolis', -5]),
  state('19', 'IA', 'Iowa', CENTRAL),
  state('20', 'KS', 'Kansas', CENTRAL),
  state('21', 'KY', 'Kentucky', EASTERN),
  state('22', 'LA', 'Louisiana', CENTRAL),
  state('23', 'ME', 'Maine', EASTERN),
  state('24', 'MD', 'Maryland', EASTERN),
  state('25', 'MA', 'Massachusetts', EASTERN),
  state('26', 'MI', 'Michigan', ['America/Detroit', -5]),
  state('27', 'MN', 'Minnesota', CENTRAL),
  state('28', 'MS', 'Mississippi', CENTRAL),
  state('29', 'MO', 'Missouri', CENTRAL),
  state('30', 'MT', 'Montana', MOUNTAIN),
  state('31', 'NE', 'Nebraska', CENTRAL),
  state('32', 'NV', 'Nevada', PACIFIC),
  state('33', 'NH', 'New Hampshire', EASTERN),
  state('34', 'NJ', 'New Jersey', EASTERN),
  state('35', 'NM', 'New Mexico', MOUNTAIN),
  state('36', 'NY', 'New York', EASTERN),
  state('37', 'NC', 'North Carolina', EASTERN),
  state('38', 'ND', 'North Dakota', CENTRAL),
  state('39', 'OH', 'Ohio', EASTERN),
  state('40', 'OK', 'Oklahoma', CENTRAL),
  state('41', 'OR', 'Oregon', PACIFIC),
  state('42', 'PA', 'Pennsylvania', EASTERN),
  state('44', 'RI', 'Rhode Island', EASTERN),
  state('45', 'SC', 'South Carolina', EASTERN),
  state('46', 'SD', 'South Dakota', CENTRAL),
  state('47', 'TN', 'Tennessee', CENTRAL),
  state('48', 'TX', 'Texas', CENTRAL),
  state('49', 'UT', 'Utah', MOUNTAIN),
  state('50', 'VT', 'Vermont', EASTERN),
  state('51', 'VA', 'Virginia', EASTERN),
  state('53', 'WA', 'Washington', PACIFIC),
  state('54', 'WV', 'West Virginia', EASTERN),
  state('55', 'WI', 'Wisconsin', CENTRAL),
  state('56', 'WY', 'Wyoming', MOUNTAIN),
  state('60', 'AS', 'American Samoa', ['Pacific/Pago_Pago', -11]),
  state('66', 'GU', 'Guam', CHAMORRO),
  state('69', 'MP', 'Northern Mariana Islands', CHAMORRO),
  state('72', 'PR', 'Puerto Rico', ATLANTIC),
  state('78', 'VI', 'Virgin Islands', ATLANTIC),
]

const byFips = new Map(states.map((one) => [one.fips, one]))
const byCode = new Map(states.map((one) => [one.code, one]))
const byName = new Map(states.map((one) => [one.name.toUpperCase(), one]))

function state(fips: string, code: string, name: string, [timezone, standard_offset_hours]: readonly [string, number]): State {
  return { fips, code, name, timezone, standard_offset_hours }
}
