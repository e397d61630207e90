import type { Stated } from './faults.ts'

/** A row of radar hail: ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE. */
export function readHailRow(row: string): Stated | string {
  const [time = '', longitude, latitude, , , , , , , size] = row.split(',').map((cell) => cell.trim())
  const digits = time.replace(/\D/g, '')
  if (digits.length !== 14 || size === undefined) return 'the row is none of a list of radar hail'
  const iso = digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z')
  return {
    event: 'hail',
    moment: { at: Date.parse(iso), is_sure: true },
    hail_in: Number(size),
    points: [[Number(latitude), Number(longitude)]],
  }
}
