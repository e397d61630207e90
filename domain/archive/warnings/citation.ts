import type { Vtec } from '#domain/archive/warnings/vtec.ts'

/** The archive's page of a warning. */
export function warningPage(vtec: Pick<Vtec, 'office' | 'phenomenon' | 'significance' | 'tracking_number'>, year: number): string {
  const number = String(vtec.tracking_number).padStart(4, '0')
  return `https://mesonet.agron.iastate.edu/vtec/event/${year}-O-NEW-${vtec.office}-${vtec.phenomenon}-${vtec.significance}-${number}`
}
