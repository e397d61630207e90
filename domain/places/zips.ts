import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { groupBy } from '#domain/kernel/group-by.ts'
import { tupleOf } from '#domain/kernel/present.ts'
import { foldTown } from '#domain/places/fold.ts'

/** A ZIP code with its centre and the name of its post office. */
export interface Zip {
  zip: string
  city: string
  /** Two-letter code, including those of the armed forces (AA, AE, AP). */
  state: string
  latitude: number
  longitude: number
}

/** Returns a ZIP code; null if the table does not have it or its location. */
export function zipOf(zip: string): Zip | null {
  return zips().get(zip) ?? null
}

/** Returns the ZIP codes with a post office's name, compared by `foldTown`, in one state or in all. */
export function zipsNamed(city: string, state: string | null): Zip[] {
  byOffice ??= groupBy(zips().values(), ({ city: office }) => foldTown(office))
  const found = byOffice.get(foldTown(city)) ?? []
  return state ? found.filter((zip) => zip.state === state) : found
}

/**
 * Returns the ZIP codes at the same coordinates, including the given one. If there are several, the point is the town's, not
 * the ZIP code's own centre: such codes are PO boxes of one office, or a single large receiver of mail.
 */
export function zipsAt({ latitude, longitude }: Pick<Zip, 'latitude' | 'longitude'>): Zip[] {
  byPoint ??= groupBy(zips().values(), (zip) => `${zip.latitude} ${zip.longitude}`)
  return byPoint.get(`${latitude} ${longitude}`) ?? []
}

let byZip: Map<string, Zip> | undefined
let byOffice: Map<string, Zip[]> | undefined
let byPoint: Map<string, Zip[]> | undefined

/**
 * One row of the package's table, as text. The table is JavaScript: running it blocks for 300 ms, and parsing its text takes
 * a tenth of that.
 */
const ROW = /\{"zip":"(\d{5})","latitude":(-?[\d.]+),"longitude":(-?[\d.]+),"city":"([^"]*)","state":"([A-Z]{2})","country":"US"\}/g

function zips(): Map<string, Zip> {
  if (byZip) return byZip
  const text = readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes.js'), 'utf8')
  const found = new Map<string, Zip>()
  for (const match of text.matchAll(ROW)) {
    const [, zip, latitude, longitude, city, state] = tupleOf(match, 6)
    const row: Zip = { zip, city, state, latitude: Number(latitude), longitude: Number(longitude) }
    // 306 rows, most of them military, have the coordinates 0, 0: no location.
    if (row.latitude !== 0 && row.longitude !== 0) found.set(row.zip, row)
  }
  if (found.size === 0) throw new Error('the format of the table of ZIP codes has changed')
  byZip = found
  return byZip
}
