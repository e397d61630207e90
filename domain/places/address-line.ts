import type { LocatedPlace } from '#domain/places/place.ts'

type Lined = { [Part in 'street' | 'city' | 'state' | 'postal_code']: LocatedPlace[Part] } & { query?: string }

/**
 * Returns an address on one line: "1200 Main St, Frisco, TX 75034". Without a street and a town, it is the text that was sent and the
 * state: "33.14990, -96.82410, TX".
 */
export function addressLine({ street, city, state, postal_code, query }: Lined): string {
  const start = street ?? city ?? query ?? null
  const town = street ? city : null
  return [start, town, [state, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', ')
}
