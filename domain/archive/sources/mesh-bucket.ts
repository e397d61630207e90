import { localMoment } from '#domain/archive/local-moment.ts'
import { feedFailed } from '#domain/archive/sources/feed.ts'
import type { Ask } from '#domain/archive/sources/source.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'

/** The agency's hail size grids: single moments about every two minutes, and the largest of 24 hours. */
export const meshProducts = { mesh: 'MESH_00.50', mesh_max_1440min: 'MESH_Max_1440min_00.50' } as const

/** The key prefix of records of the 24-hour grids, followed by the time at which the hours end, and the name of their files. */
export const largestOf24Hours = { key: 'mesh_max_1440min/', file: `MRMS_${meshProducts.mesh_max_1440min}` } as const

export type MeshProduct = keyof typeof meshProducts

/** A grid file, identified by its name. */
export interface GridFile {
  url: string
  name: string
  product: MeshProduct
  valid_at: Date
}

/** The open-data bucket with the grids of every day since October 2020, one folder for each product and UTC day. */
const BUCKET = 'https://noaa-mrms-pds.s3.amazonaws.com/'
const LISTING = { unconditional: true }
/** A page has 1,000 files and a day has 720 moments, so a longer listing would be endless. */
const PAGES_MAX = 10

const FILE_NAME = /MRMS_(MESH|MESH_Max_1440min)_00\.50_(\d{8})-(\d{6})\.grib2/

/** Returns what the agency's file name states; `valid_at` is null if it is not a valid time. Null if the file has another kind of name. */
export function namedGrid(name: string): { product: MeshProduct; valid_at: Date | null } | null {
  const [, field, day, time] = FILE_NAME.exec(name) ?? []
  return field === undefined
    ? null
    : { product: field === 'MESH' ? 'mesh' : 'mesh_max_1440min', valid_at: momentOf(present(day), present(time)) }
}

/** Returns the grids listed on a folder's page, oldest first. */
export function gridsIn(page: string, folder: string): GridFile[] {
  const names = new Set([...page.matchAll(new RegExp(`${FILE_NAME.source}\\.gz`, 'g'))].map(([name]) => name))
  return [...names]
    .flatMap((name) => {
      const { product, valid_at } = present(namedGrid(name))
      return valid_at ? [{ url: `${folder}${name}`, name, product, valid_at }] : []
    })
    .sort((a, b) => a.valid_at.getTime() - b.valid_at.getTime())
}

/**
 * Returns the grids in the bucket's folder of a UTC day, oldest first; empty if there is no such folder.
 * @throws Refusal engine_unavailable if the bucket does not return its listing
 */
export async function gridsOfDay(ask: Ask, product: MeshProduct, day: Date): Promise<GridFile[]> {
  const folder = `CONUS/${meshProducts[product]}/${day.toISOString().slice(0, 10).replaceAll('-', '')}/`
  const grids: GridFile[] = []
  let next: string | null = ''
  for (let pages = 0; next !== null; pages++) {
    if (pages === PAGES_MAX) throw feedFailed(`its listing of ${folder} does not end`)
    const from: string = next === '' ? '' : `&continuation-token=${encodeURIComponent(next)}`
    const page: string =
      (await ask(`${BUCKET}?list-type=2&prefix=${encodeURIComponent(folder)}${from}`, LISTING))?.body.toString('utf8') ?? ''
    if (!/<ListBucketResult[\s>]/.test(page) || !page.includes('</ListBucketResult>'))
      throw feedFailed(`its listing of ${folder} is not readable`)
    grids.push(...gridsIn(page, `${BUCKET}${folder}`).filter((grid) => grid.product === product))
    next = nextPage(page)
  }
  return grids
}

/** Returns the token for requesting the next page; null on the last page. */
function nextPage(page: string): string | null {
  if (!page.includes('<IsTruncated>true</IsTruncated>')) return null
  const token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(page)?.[1]
  if (token === undefined) throw feedFailed('its listing has a next page but no token for it')
  return token.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
}

function momentOf(day: string, time: string): Date | null {
  const [month, date] = tupleOf([day.slice(4, 6), day.slice(6)].map(Number), 2)
  const [hour, minute, second] = tupleOf([time.slice(0, 2), time.slice(2, 4), time.slice(4)].map(Number), 3)
  return localMoment({ year: Number(day.slice(0, 4)), month, day: date, hour, minute, second }, 0)
}
