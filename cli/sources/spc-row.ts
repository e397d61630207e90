import { basename } from 'node:path'
import type { Stated } from './faults.ts'

/** Name of the second column of a list -> the event that the list is about. */
const LISTS: Record<string, string> = { Size: 'hail', Speed: 'thunderstorm wind', F_Scale: 'tornado' }
/** Hour (UTC) at which a day of the Storm Prediction Center begins. */
const DAY_START_HOUR = 12

/** Reads a row of the daily reports: Time,Size,Location,County,State,Lat,Lon,Comments. @param before the file up to the row */
export function readSpcRow(row: string, name: string, before: string): Stated | string {
  const [, yy, month, day] = /(\d\d)(\d\d)(\d\d)_rpts/.exec(basename(name)) ?? []
  const list = LISTS[[...before.matchAll(/^Time,(\w+),/gm)].at(-1)?.[1] ?? '']
  const [time = '', amount = '', , , , latitude, longitude] = row.split(',').map((cell) => cell.trim())
  if (!yy || !list || !/^\d{4}$/.test(time)) return 'the row is not from a list of daily reports'
  const hours = Number(time.slice(0, 2))
  const year = Number(yy) + (Number(yy) >= 90 ? 1900 : 2000)
  const at = Date.UTC(year, Number(month) - 1, Number(day) + (hours < DAY_START_HOUR ? 1 : 0), hours, Number(time.slice(2)))
  const size = Number(amount) || 0
  return {
    event: list,
    moment: { at, is_sure: true },
    ...(list === 'hail' && { hail_in: size / 100 }),
    ...(list === 'thunderstorm wind' && { wind_mph: size }),
    ...(list === 'tornado' && { rating: amount }),
    points: [[Number(latitude), Number(longitude)]],
  }
}
