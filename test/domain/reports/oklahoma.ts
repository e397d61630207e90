import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { details, realFilePath } from '#test/domain/archive/files.ts'

/** The rows of one state of a year's file, as the agency wrote them: the others do not bear on what is asked here. */
export function rowsOfState(year: number, fips: string): string {
  const text = gunzipSync(readFileSync(realFilePath(details(year)))).toString('latin1')
  const [header = '', ...rows] = text.split(/\n(?=\d{6},)/)
  const column = header.split(',').indexOf('STATE_FIPS')
  return [header.trimEnd(), ...rows.filter((row) => row.split(',')[column] === fips)].join('\n')
}
