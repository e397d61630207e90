import type { Vtec } from '#domain/archive/warnings/vtec.ts'

/** Returns the archive page of a warning. */
export function warningPage(vtec: Pick<Vtec, 'office' | 'phenomenon' | 'significance' | 'tracking_number'>, year: number): string {
  const number = String(vtec.tracking_number).padStart(4, '0')
  return `https://mesonet.agron.iastate.edu/vtec/event/${year}-O-NEW-${vtec.office}-${vtec.phenomenon}-${vtec.significance}-${number}`
}

/** Returns the archived text of a product: 202404262159-KOAX-WFUS53-TOROAX. */
export function productPage(product_id: string): string {
  return `https://mesonet.agron.iastate.edu/p.php?pid=${product_id}`
}

/** Returns the service's own copy of an alert, which it keeps for a week. */
export function alertPage(identifier: string): string {
  return `https://api.weather.gov/alerts/${encodeURIComponent(identifier)}`
}
