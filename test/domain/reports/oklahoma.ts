import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { details, importText, realFilePath } from '#test/domain/archive/files.ts'
import type { World } from '#test/support/world.ts'

const YEARS = [1990, 1991, 1992, 1993, 1994, 1995]

/** A request for all records of those years around a place in the city centre. */
export const aroundOklahomaCity = {
  address: '100 E Reno Ave, Oklahoma City, OK 73104',
  window_start: '1990-01-01',
  window_end: '1995-12-31',
  radius_miles: 10,
}

/** Imports the records of Oklahoma in those years. */
export async function importOklahoma(world: World): Promise<void> {
  for (const year of YEARS) await importText(world, rowsOfState(year, '40'), { file_name: details(year), quiet: true })
}

/** The rows of one state from a yearly file, unchanged. Other states do not matter here. */
function rowsOfState(year: number, fips: string): string {
  const text = gunzipSync(readFileSync(realFilePath(details(year)))).toString('latin1')
  const [header = '', ...rows] = text.split(/\n(?=\d{6},)/)
  const column = header.split(',').indexOf('STATE_FIPS')
  return [header.trimEnd(), ...rows.filter((row) => row.split(',')[column] === fips)].join('\n')
}
