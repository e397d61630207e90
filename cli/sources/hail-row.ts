import type { Stated } from './faults.ts'

/**
 * Reads a row of radar hail. Columns of the web service: ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON; of the yearly files:
 * ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE.
 */
export function readHailRow(row: string): Stated | string {
  const cells = row.split(',').map((cell) => cell.trim())
  const [time = ''] = cells
  const [size, latitude, longitude] = cells.length === 8 ? cells.slice(5) : [cells[9], cells[2], cells[1]]
  const digits = time.replace(/\D/g, '')
  if (digits.length !== 14 || size === undefined) return 'the row is not from a list of radar hail'
  const iso = digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z')
  return {
    event: 'hail',
    moment: { at: Date.parse(iso), is_sure: true },
    hail_in: Number(size),
    points: [[Number(latitude), Number(longitude)]],
  }
}
