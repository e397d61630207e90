import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { addressKey, foldAddress } from '#domain/places/fold.ts'
import { locate } from '#domain/places/locate.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { Refusal } from '#domain/refusal.ts'
import { Prisma, type Property } from '#generated/prisma/client.ts'

/** The columns of an address: as sent, as located, and the keys by which it is one and the same. */
export type AddressColumns = Pick<
  Property,
  | 'query'
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
>

/** Locates an address; the columns of one that is not located are null, but for its text. */
export async function locateAddress(
  app: Pick<App, 'db' | 'geocode' | 'clock' | 'log' | 'pool'>,
  query: string,
  timeout_ms: number,
): Promise<AddressColumns> {
  const location = await locate(app, query, { timeout_ms })
  return 'place' in location ? locatedColumns(query, location.place) : unlocatedColumns(query)
}

export function locatedColumns(query: string, { timezone: _, ...place }: LocatedPlace): AddressColumns {
  return { query, query_key: foldAddress(query), address_key: addressKey(place), ...place, located: true }
}

export function unlocatedColumns(query: string): AddressColumns {
  return {
    query,
    query_key: foldAddress(query),
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
  }
}

/**
 * The team's property that stands at the address: by what was located, else, where either is not located, by the same text.
 * @param except a property that does not count: the one that is asked about
 */
export async function standingAt(
  tx: Pick<Tx, 'property'>,
  team_id: string,
  { query_key, address_key }: Pick<AddressColumns, 'query_key' | 'address_key'>,
  except?: string,
): Promise<string | null> {
  const same = address_key === null ? { query_key } : { OR: [{ address_key }, { query_key, address_key: null }] }
  const standing = await tx.property.findFirst({
    where: { team_id, ...same, ...(except && { id: { not: except } }) },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    select: { id: true },
  })
  return standing?.id ?? null
}

/**
 * Does the work of a transaction that writes the address, and names the property that took it meanwhile where one did.
 * @throws Refusal 409 `duplicate_address`
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
    const standing = isTaken(fault) ? await standingAt(db, team_id, address, id) : null
    throw standing ? duplicateAddress(standing) : fault
  }
}

/** Prisma's code of a unique key that is taken. */
function isTaken(fault: unknown): boolean {
  return fault instanceof Prisma.PrismaClientKnownRequestError && fault.code === 'P2002'
}

/** The 409 of an address that is kept already. */
export function duplicateAddress(existing_id: string): Refusal {
  return new Refusal('duplicate_address', `This address is already kept as property ${existing_id}.`, { existing_id })
}
