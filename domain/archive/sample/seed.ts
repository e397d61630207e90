import type { App } from '#domain/app.ts'

/** The made-up storm day, and the report that shows it. */
export const sampleStorm = {
  address: '8700 Stonebrook Parkway, Frisco, TX 75034',
  latitude: 33.1357,
  longitude: -96.8477,
  radius_miles: 5,
  window_start: '2026-03-01',
  window_end: '2026-05-31',
  storm_date: '2026-04-18',
} as const

/** Reads the made-up storm day into the archive, if it is not there yet. */
export async function seedSample(_app: Pick<App, 'pool' | 'clock' | 'log'>): Promise<void> {
  throw new Error('not built')
}
