import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { groupBy } from '#domain/kernel/group-by.ts'
import { tupleOf } from '#domain/kernel/present.ts'
import { foldTown } from '#domain/places/fold.ts'

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

/** ZIP codes of a post office's name, folded as towns are; of one state or of all. */
export function zipsNamed(city: string, state: string | null): Zip[] {
  byOffice ??= groupBy(zips().values(), ({ city: office }) => foldTown(office))
  const found = byOffice.get(foldTown(city)) ?? []
  return state ? found.filter((zip) => zip.state === state) : found
}

/**
 * The ZIP codes at the same coordinates, itself among them. Where there are several the point is the town's, not the
 * ZIP code's own centre: one office's boxes, or a single large receiver of mail.
 */
export function zipsAt({ latitude, longitude }: Pick<Zip, 'latitude' | 'longitude'>): Zip[] {
  byPoint ??= groupBy(zips().values(), (zip) => `${zip.latitude} ${zip.longitude}`)
  return byPoint.get(`${latitude} ${longitude}`) ?? []
}

let held: Map<string, Zip> | undefined
let byOffice: Map<string, Zip[]> | undefined
let byPoint: Map<string, Zip[]> | undefined

/**
 * One row of the package's table as it is written there. The table is a program: running it blocks for 300 ms, reading
 * its text takes a tenth of that.
 */
const ROW = /\{"zip":"(\d{5})","latitude":(-?[\d.]+),"longitude":(-?[\d.]+),"city":"([^"]*)","state":"([A-Z]{2})","country":"US"\}/g

function zips(): Map<string, Zip> {
  if (held) return held
  const text = readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes.js'), 'utf8')
  const found = new Map<string, Zip>()
  for (const match of text.matchAll(ROW)) {
    const [, zip, latitude, longitude, city, state] = tupleOf(match, 6)
    const row: Zip = { zip, city, state, latitude: Number(latitude), longitude: Number(longitude) }
    // 306 rows, most of them military, stand at 0, 0: nowhere.
    if (row.latitude !== 0 && row.longitude !== 0) found.set(row.zip, row)
  }
  if (found.size === 0) throw new Error('the table of ZIP codes is not written as it was')
  held = found
  return held
}
