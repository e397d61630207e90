import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { seededRandom } from '#test/bench/random.ts'
import { readCsv } from '../csv.ts'
import { stormEventFiles } from '../files.ts'
import { countyCentre, milesBetween, type Spot, stateHolding, travel } from '../geography.ts'

/** The year files that are imported: all of them. */
export const allYears = ['1990', '1991', '1992', '1993', '1994', '1995', '2019'] as const

export interface Place {
  /** The exact place of an address point; null if the address is a ZIP code. */
  spot: Spot | null
  /** The centre of a ZIP code. */
  address: string | null
  start: string
  end: string
  radius_miles: number
}

/** Every second place is a ZIP code: most addresses are located no more exactly. */
const ZIP_SHARE = 0.5
/** One place in this many is anywhere, usually where nothing is cited. */
const ANYWHERE_SHARE = 0.08

/** Returns random places near rows of the files, and windows around their days: the same ones for the same seed. */
export function randomPlaces(count: number, seed: number, years: readonly string[] = allYears): Place[] {
  const random = seededRandom(seed)
  const anchors = stormEventFiles('details', years).flatMap(readCsv).flatMap(anchorOf)
  const zips = zipCodes()
  const places: Place[] = []
  while (places.length < count) {
    const { spot, date } = random.pick(anchors)
    // Small circles as often as large ones; two decimals, as a window states them.
    const radius_miles = Math.round(100 * 60 ** random.next()) / 100
    const isZip = random.next() < ZIP_SHARE
    const near: Spot =
      random.next() < ANYWHERE_SHARE
        ? [random.between(-122, -72), random.between(27, 48)]
        : travel(spot, random.between(0, 2 * Math.PI), radius_miles * Math.sqrt(random.next()))
    const days = windowAround(date, radius_miles)
    const zip = isZip ? nearest(near, zips) : null
    const exact: Spot = [Number(near[0].toFixed(5)), Number(near[1].toFixed(5))]
    // A few ZIP codes of ships and lakes are in no county.
    if (!stateHolding(zip ? zip.spot : exact)) continue
    places.push({ spot: zip ? null : exact, address: zip && `${zip.city}, ${zip.state} ${zip.zip}`, radius_miles, ...days })
  }
  return places

  /** The day itself, a season around it, a year, or all the years if the circle is small enough to read. */
  function windowAround(date: string, radius_miles: number): { start: string; end: string } {
    const kind = random.next()
    if (kind < 0.15) return { start: date, end: date }
    if (kind < 0.6) return { start: shifted(date, -random.integer(1, 120)), end: shifted(date, random.integer(1, 120)) }
    const yearStart = `${date.slice(0, 4)}-01-01`
    if (kind < 0.8 || radius_miles > 15) return { start: yearStart, end: `${date.slice(0, 4)}-12-31` }
    return { start: '1990-01-01', end: kind < 0.9 ? '1995-12-31' : '2019-12-31' }
  }
}

interface Anchor {
  spot: Spot
  date: string
}

/** At its point, or at the centre of the county that it names. */
function anchorOf(row: Record<string, string>): Anchor[] {
  const { BEGIN_YEARMONTH: month = '', BEGIN_DAY: day = '', BEGIN_LON, BEGIN_LAT, CZ_TYPE, STATE_FIPS = '', CZ_FIPS = '' } = row
  const point: Spot | null = BEGIN_LON && BEGIN_LAT ? [Number(BEGIN_LON), Number(BEGIN_LAT)] : null
  const spot = point ?? (CZ_TYPE === 'C' ? countyCentre(`${STATE_FIPS.padStart(2, '0')}${CZ_FIPS.padStart(3, '0')}`) : null)
  return spot ? [{ spot, date: `${month.slice(0, 4)}-${month.slice(4)}-${day.padStart(2, '0')}` }] : []
}

interface Zip {
  zip: string
  city: string
  state: string
  spot: Spot
}

/** The package's table in its own format. */
function zipCodes(): Zip[] {
  const text = readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes.js'), 'utf8')
  const rows = text.matchAll(
    /"zip":"(\d{5})","latitude":(-?[\d.]+),"longitude":(-?[\d.]+),"city":"([^"]*)","state":"([A-Z]{2})","country":"US"/g,
  )
  return [...rows].map(([, zip, latitude, longitude, city, state]) => ({
    zip: zip as string,
    city: city as string,
    state: state as string,
    spot: [Number(longitude), Number(latitude)],
  }))
}

function nearest(spot: Spot, zips: readonly Zip[]): Zip {
  return zips.reduce((best, zip) => (milesBetween(zip.spot, spot) < milesBetween(best.spot, spot) ? zip : best))
}

const DAY_MS = 86_400_000
const shifted = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
