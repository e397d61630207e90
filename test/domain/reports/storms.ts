import { sampleStorm } from '#domain/archive/sample/seed.ts'
import type { World } from '#test/support/world.ts'
import { type DetailsRow, detailsText, importText } from '../archive/files.ts'

/** Where the planted records are, and the whole years that they fill. */
export const stormyPlace = { address: sampleStorm.address, radius_miles: 10, years: [2022, 2023, 2024] } as const

/** Length of the agency's longest narratives. One planted record has one. */
const LONGEST_NARRATIVE = 2_500
const MILES_A_DEGREE = 69.0934
const MONTHS = ['03', '04', '05', '06', '09', '10'] as const
const SENTENCE = 'A spotter of the county watched the storm cross the road north of town and sent a photograph. '

/** Every kind of line that a document prints: sizes, speeds, ratings, paths, types without a value. */
const kinds: ((n: number) => DetailsRow)[] = [
  (n) => ({ EVENT_TYPE: 'Hail', MAGNITUDE: (0.75 + (n % 12) * 0.25).toFixed(2), SOURCE: 'Trained Spotter' }),
  (n) => ({ EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: `${50 + (n % 30)}.00`, MAGNITUDE_TYPE: 'EG', SOURCE: 'Law Enforcement' }),
  (n) => ({ EVENT_TYPE: 'Hail', MAGNITUDE: (1 + (n % 9) * 0.25).toFixed(2), SOURCE: 'Public' }),
  (n) => ({ EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: `${48 + (n % 25)}.00`, MAGNITUDE_TYPE: 'MG', SOURCE: 'AWOS' }),
  () => ({ EVENT_TYPE: 'Flash Flood', MAGNITUDE: '', SOURCE: 'Law Enforcement' }),
  (n) => ({ EVENT_TYPE: 'Tornado', MAGNITUDE: '', TOR_F_SCALE: `EF${n % 4}`, SOURCE: 'NWS Storm Survey' }),
  () => ({ EVENT_TYPE: 'Lightning', MAGNITUDE: '', SOURCE: 'Fire Department/Rescue' }),
  () => ({ EVENT_TYPE: 'Funnel Cloud', MAGNITUDE: '', SOURCE: 'Storm Chaser' }),
  () => ({ EVENT_TYPE: 'Heavy Rain', MAGNITUDE: '', SOURCE: 'CoCoRaHS' }),
]

/**
 * Imports the given number of made-up records around the place, as the agency's files of whole years would: the same ones at every call,
 * each with its own number, time, place and narrative.
 */
export async function plantStorms(world: World, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => stormRow(n))
  for (const [index, year] of stormyPlace.years.entries()) {
    const text = detailsText(...rows.filter((_, n) => n % stormyPlace.years.length === index))
    await importText(world, text, { file_name: `StormEvents_details-ftp_v1.0_d${year}_c20260618.csv.gz`, whole_year: true, quiet: true })
  }
}

function stormRow(n: number): DetailsRow {
  const year = stormyPlace.years[n % stormyPlace.years.length] as number
  const when = { day: String(1 + ((n * 7) % 28)), month: MONTHS[n % MONTHS.length], time: String(1200 + (n % 11) * 100 + (n % 60)) }
  // A spiral of even density: no two records in one spot, the first ones nearest to the address.
  const away = 0.2 + 9.2 * Math.sqrt((n % 400) / 400)
  const angle = n * 2.399963
  const latitude = sampleStorm.latitude + (away * Math.cos(angle)) / MILES_A_DEGREE
  const longitude = sampleStorm.longitude + (away * Math.sin(angle)) / (MILES_A_DEGREE * Math.cos((sampleStorm.latitude * Math.PI) / 180))
  const kind = (kinds[n % kinds.length] as (n: number) => DetailsRow)(n)
  const moved = kind.EVENT_TYPE === 'Tornado' ? 0.01 : 0
  return {
    BEGIN_YEARMONTH: `${year}${when.month}`,
    BEGIN_DAY: when.day,
    BEGIN_TIME: when.time,
    END_YEARMONTH: `${year}${when.month}`,
    END_DAY: when.day,
    END_TIME: when.time,
    EVENT_ID: String(900_000 + n),
    BEGIN_LAT: latitude.toFixed(4),
    BEGIN_LON: longitude.toFixed(4),
    END_LAT: (latitude + moved).toFixed(4),
    END_LON: (longitude + moved).toFixed(4),
    EVENT_NARRATIVE: narrativeOf(n),
    ...kind,
  }
}

/** One very long narrative, one with a word longer than a line; the others are short. */
function narrativeOf(n: number): string {
  const own = `Made up, number ${n}. `
  if (n === 5) return `${own}${SENTENCE.repeat(Math.floor(LONGEST_NARRATIVE / SENTENCE.length))}`.trim()
  if (n === 6) return `${own}${'longer-than-a-line/'.repeat(12)}`
  return `${own}${SENTENCE.repeat(1 + (n % 3))}`.trim()
}
