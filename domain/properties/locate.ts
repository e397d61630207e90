import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { type AddressColumns, locateAddress, sentAddress } from '#domain/properties/address.ts'
import { emitPropertyEvent } from '#domain/properties/property-events.ts'
import { syncWatch } from '#domain/properties/sync-watch.ts'
import { updateProperty } from '#domain/properties/update-property.ts'
import { deleteWatch } from '#domain/watches/watch-cells.ts'
import type { Property } from '#generated/prisma/client.ts'

/** No request waits for the job, so a slow geocoder gets more time. One that needs even longer counts as failing. */
const JOB_LOCATE_MS = 20_000

/**
 * Locates a property that could not be located when it was saved. Repeatable: a property that is located or removed by now is
 * left as it is. With a geocoder configured, an unknown address throws, so that the job retries later. An address that is
 * ambiguous or abroad stays so, however often it is looked up.
 */
export async function locateProperty(app: App, id: string): Promise<void> {
  const property = await app.db.property.findUnique({ where: { id } })
  if (!property || property.located) return
  const address = await locateAddress(app, sentAddress(property), JOB_LOCATE_MS)
  if (address.located) return app.db.$transaction((tx) => saveLocation(tx, app, property, address))
  const { failure_reason, failure_message } = address
  // Not if another address was sent meanwhile.
  await app.db.property.updateMany({ where: { ...sameAddressAs(property), located: false }, data: { failure_reason, failure_message } })
  if (app.geocode.provider && failure_reason === 'address_not_found') throw new Error('the address is not located yet')
}

/** Matches the property only while it has the address that was located. */
function sameAddressAs({ id, query, sent_latitude, sent_longitude }: Property) {
  return { id, query, sent_latitude, sent_longitude }
}

/**
 * If two properties turn out to have the same address, the older one keeps it. The newer one gets a note that says so, and is
 * not watched.
 */
async function saveLocation(tx: Tx, app: Pick<App, 'clock'>, before: Property, address: AddressColumns): Promise<void> {
  const { team_id, id } = before
  await tx.$queryRaw`
    SELECT id FROM properties WHERE team_id = ${team_id}::uuid AND (id = ${id}::uuid OR address_key = ${address.address_key})
     ORDER BY id FOR UPDATE`
  const property = await tx.property.findUnique({ where: sameAddressAs(before) })
  if (!property || property.located) return
  const other = await tx.property.findFirst({ where: { team_id, address_key: address.address_key, id: { not: id } } })
  if (other && isOlder(other, property)) return giveUpAddress(tx, app, property, other.id, address)
  if (other) await giveUpAddress(tx, app, other, id, {})
  const located = await updateProperty(tx, app, property, address)
  await syncWatch(tx, located)
  await emitPropertyEvent(tx, located, { name: 'property.updated', changed: ['address'], reason: 'change' })
}

function isOlder(one: Property, other: Property): boolean {
  const difference = one.created_at.getTime() - other.created_at.getTime()
  return difference === 0 ? one.id < other.id : difference < 0
}

async function giveUpAddress(
  tx: Tx,
  app: Pick<App, 'clock'>,
  property: Property,
  older: string,
  address: Partial<AddressColumns>,
): Promise<void> {
  const note = `Same address as property ${older}, which was saved first. Not watched.`
  const notes = property.notes ? `${property.notes}\n${note}` : note
  const status = property.status === 'watching' ? 'paused' : property.status
  const updated = await updateProperty(tx, app, property, { ...address, address_key: null, notes, status })
  await deleteWatch(tx, property.id)
  const changed = [...(address.located ? ['address'] : []), ...(status === property.status ? [] : ['status']), 'notes']
  await emitPropertyEvent(tx, updated, { name: 'property.updated', changed, reason: 'change' })
}
