import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(path.resolve(process.env.WEATHER_REAL_DATA || '../shared/data'), 'storm-events')

export const realRecordsPresent = existsSync(folder)

/** The years compared: floods lie in 2019, county rows in 1993; 1991 has a point for every row. */
export const years = ['1991', '1993', '2019'] as const

/** The newest details and locations files of the years. */
export function stormEventFiles(which: 'details' | 'locations', of: readonly string[] = years): string[] {
  const names = readdirSync(folder).sort()
  return of
    .flatMap((year) => names.filter((name) => name.startsWith(`StormEvents_${which}-ftp_v1.0_d${year}_`)).slice(-1))
    .map((name) => path.join(folder, name))
}
