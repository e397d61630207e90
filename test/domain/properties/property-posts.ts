import type { Geocode } from '#domain/engines/geocoder.ts'
import type { AddressMatch } from '#domain/engines/geocoders/answer.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import type { World } from '#test/support/world.ts'

/** The property events of a team in order: name, what changed, why. */
export async function postedOf(world: World, team_id: string): Promise<[string, string[], string][]> {
  const events = await world.app.db.event.findMany({
    where: { team_id, name: { startsWith: 'property.' } },
    orderBy: { created_at: 'asc' },
  })
  return events.map(({ name, content }) => {
    const { changed, reason } = content as unknown as { changed: string[]; reason: string }
    return [name, changed, reason]
  })
}

interface TestGeocoder extends Geocode {
  known: Record<string, Partial<AddressMatch>>
  down: boolean
  /** Milliseconds that it needs. Who waits less gets a timeout at once. */
  needs_ms: number
}

/** A geocoder that knows the given addresses by their first words. It finds no others, and fails while it is down. */
export function aGeocoder(known: TestGeocoder['known']): TestGeocoder {
  const geocoder = {
    provider: 'pelias' as const,
    streets_only: false,
    known,
    down: false,
    needs_ms: 0,
    async find(query: string, timeout_ms: number): Promise<AddressMatch[]> {
      if (geocoder.down) throw new Error('down')
      if (timeout_ms < geocoder.needs_ms) throw new HttpFailure('the geocoder did not answer in time', 'timed_out')
      const match = Object.entries(geocoder.known).find(([beginning]) => query.startsWith(beginning))?.[1]
      return match ? [{ ...defaultMatch, ...match }] : []
    },
  }
  return geocoder
}

const defaultMatch: AddressMatch = {
  street: '1 Main St',
  city: 'Moore',
  state: 'OK',
  postal_code: '73160',
  county_fips: '40027',
  latitude: 35.3395,
  longitude: -97.4867,
  precision: 'point',
  in_us: true,
}
