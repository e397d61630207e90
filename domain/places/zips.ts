import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fold } from '#domain/places/fold.ts'

/** Centre of a ZIP code, and the name of its post office. */
export interface Zip {
  zip: string
  city: string
  /** Two-letter code, the armed forces' (AA, AE, AP) among them. */
  state: string
  latitude: number
  longitude: number
}

/** The centre of a ZIP code; null where the table does not know it, or not where it lies. */
export function zipOf(zip: string): Zip | null {
  return zips().get(zip) ?? null
}

/** ZIP codes of a post office's name in a state. */
export function zipsNamed(city: string, state: string): Zip[] {
  const name = fold(city)
  return [...zips().values()].filter((zip) => zip.state === state && fold(zip.city) === name)
}

let held: Map<string, Zip> | undefined

/**
 * One row of the package's table as it is written there. The table is a program: running it blocks for 300 ms, reading
 * its text takes a tenth of that.
 */
const ROW = /\{"zip":"(\d{5})","latitude":(-?[\d.]+),"longitude":(-?[\d.]+),"city":"([^"]*)","state":"([A-Z]{2})","country":"US"\}/g

function zips(): Map<string, Zip> {
  if (held) return held
  const text = readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes.js'), 'utf8')
  const found = new Map<string, Zip>()
  for (const [, zip, latitude, longitude, city, state] of text.matchAll(ROW)) {
    const row = { zip, city, state, latitude: Number(latitude), longitude: Number(longitude) } as Zip
    // 306 rows, most of them military, stand at 0, 0: nowhere.
    if (row.latitude !== 0 && row.longitude !== 0) found.set(row.zip, row)
  }
  if (found.size === 0) throw new Error('the table of ZIP codes is not written as it was')
  held = found
  return held
}
