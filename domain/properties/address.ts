import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { Point } from '#domain/geo/measure.ts'
import { ConcurrentChange } from '#domain/kernel/concurrent-change.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { readCoordinates } from '#domain/places/coordinates.ts'
import { addressKey, foldAddress, pointKey } from '#domain/places/fold.ts'
import { locate, locateInTime } from '#domain/places/locate.ts'
import type { NotLocated } from '#domain/places/location.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { Prisma, type Property } from '#generated/prisma/client.ts'

/** The columns of an address: as sent, as located, and the keys that identify it. */
export type AddressColumns = Pick<
  Property,
  | 'query'
  | 'sent_latitude'
  | 'sent_longitude'
  | 'query_key'
  | 'address_key'
  | 'street'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'county'
  | 'county_fips'
  | 'latitude'
  | 'longitude'
  | 'precision'
  | 'located'
  | 'failure_reason'
  | 'failure_message'
>

/** An address as sent, with its coordinates if some were sent. */
export interface SentAddress {
  query: string
  point: Point | null
}

/** Returns the sent address of a property's row. */
export function sentAddress({
  query,
  sent_latitude,
  sent_longitude,
}: Pick<Property, 'query' | 'sent_latitude' | 'sent_longitude'>): SentAddress {
  const point = sent_latitude === null || sent_longitude === null ? null : { latitude: sent_latitude, longitude: sent_longitude }
  return { query, point }
}

/**
 * Locates an address. If it is not located, all columns are null except what was sent and the reason.
 * @param options.fresh whether a geocoder is asked even if its answer is cached
 */
export async function locateAddress(
  app: Pick<App, 'db' | 'geocode' | 'clock' | 'log' | 'pool'>,
  sent: SentAddress,
  timeout_ms: number,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<AddressColumns> {
  const location = await locate(app, sent.query, { timeout_ms, point: sent.point, fresh })
  return 'place' in location ? locatedColumns(sent, location.place) : unlocatedColumns(sent, location)
}

/**
 * Locates an address while a request waits. If the geocoder needs longer, the address is not located yet: the job that locates it gives
 * the geocoder more time.
 */
export async function locateAddressInTime(
  app: Parameters<typeof locateAddress>[0],
  sent: SentAddress,
  timeout_ms: number,
): Promise<AddressColumns> {
  const location = await locateInTime(app, sent.query, { timeout_ms, point: sent.point })
  return location && 'place' in location ? locatedColumns(sent, location.place) : unlocatedColumns(sent, location)
}

function locatedColumns(sent: SentAddress, { timezone: _, ...place }: LocatedPlace): AddressColumns {
  return {
    ...sentColumns(sent),
    address_key: keyOfPlace(sent, place),
    ...place,
    located: true,
    failure_reason: null,
    failure_message: null,
  }
}

/** @param why why it is not located; null before the first try */
export function unlocatedColumns(sent: SentAddress, why: NotLocated | null): AddressColumns {
  return {
    ...sentColumns(sent),
    address_key: null,
    street: null,
    city: null,
    state: null,
    postal_code: null,
    county: null,
    county_fips: null,
    latitude: null,
    longitude: null,
    precision: null,
    located: false,
    failure_reason: why?.failure ?? null,
    failure_message: why?.message ?? null,
  }
}

/** Returns the key that identifies a located place: its address or, without a street, the coordinates by which it was sent. */
function keyOfPlace(
  { query, point }: SentAddress,
  place: Pick<LocatedPlace, 'street' | 'city' | 'state' | 'postal_code' | 'latitude' | 'longitude'>,
): string {
  return place.street === null && (point || readCoordinates(query)) ? pointKey(place) : addressKey(place)
}

/** Returns the keys of a property's address as it stands; `address_key` is null unless it is located. */
export function addressKeysOf(property: Property): Pick<AddressColumns, 'query_key' | 'address_key'> {
  const { latitude, longitude, ...place } = property
  const sent = sentAddress(property)
  const placed = latitude !== null && longitude !== null
  return { query_key: sentColumns(sent).query_key, address_key: placed ? keyOfPlace(sent, { ...place, latitude, longitude }) : null }
}

/** Coordinates have a key of their own, because the folded text of an address drops the sign and the decimal point of a number. */
function sentColumns({ query, point }: SentAddress): Pick<AddressColumns, 'query' | 'sent_latitude' | 'sent_longitude' | 'query_key'> {
  const written = readCoordinates(query)
  const at = point ?? (written && 'point' in written ? written.point : null)
  const query_key = at ? [...(written ? [] : [foldAddress(query)]), pointKey(at)].join(' ') : foldAddress(query)
  return { query, query_key, sent_latitude: point?.latitude ?? null, sent_longitude: point?.longitude ?? null }
}

/**
 * Returns the id of the team's property at the address: found by the located address or by the same text, of which another geocoder may
 * have written the street in another way.
 * @param except id of a property to ignore: the one in question
 */
export async function findExistingAt(
  tx: Pick<Tx, 'property'>,
  team_id: string,
  { query_key, address_key }: Pick<AddressColumns, 'query_key' | 'address_key'>,
  except?: string,
): Promise<string | null> {
  const same = address_key === null ? { query_key } : { OR: [{ address_key }, { query_key }] }
  const existing = await tx.property.findFirst({
    where: { team_id, ...same, ...(except && { id: { not: except } }) },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    select: { id: true },
  })
  return existing?.id ?? null
}

/**
 * Runs a transaction that writes the address. If another property took the address meanwhile, the error names it.
 * @throws Refusal 409 `duplicate_address`; ConcurrentChange if that property was removed or has moved on by now
 */
export async function orDuplicate<Result>(
  db: Pick<Tx, 'property'>,
  team_id: string,
  address: Pick<AddressColumns, 'query_key' | 'address_key'>,
  id: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    if (!isTaken(fault)) throw fault
    const existing = await findExistingAt(db, team_id, address, id)
    throw existing ? duplicateAddress(existing) : new ConcurrentChange('the property at this address')
  }
}

/** Whether an error is Prisma's violation of a unique key. */
export function isTaken(fault: unknown): boolean {
  return fault instanceof Prisma.PrismaClientKnownRequestError && fault.code === 'P2002'
}

/** The 409 of an address that is already saved. */
export function duplicateAddress(existing_id: string): Refusal {
  return new Refusal('duplicate_address', `This address is already kept as property ${existing_id}.`, { existing_id })
}
