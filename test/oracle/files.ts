import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The folder of real records. */
export const realFolder = path.resolve(process.env.WEATHER_REAL_DATA || '../shared/data')
const folder = path.join(realFolder, 'storm-events')

/** Texts of warnings as the offices sent them. */
export const textsFolder = path.join(realFolder, 'nws-text')

export const realRecordsPresent = existsSync(folder) && existsSync(textsFolder)

/**
 * The years compared: floods and forecast zones are in 2019, county rows in 1993 and 1994, uncertain time zones in
 * 1992; 1991 has a point for every row.
 */
export const years = ['1991', '1992', '1993', '1994', '2019'] as const

/** The newest details and locations files of the years. */
export function stormEventFiles(which: 'details' | 'locations', of: readonly string[] = years): string[] {
  const names = readdirSync(folder).sort()
  return of
    .flatMap((year) => names.filter((name) => name.startsWith(`StormEvents_${which}-ftp_v1.0_d${year}_`)).slice(-1))
    .map((name) => path.join(folder, name))
}
