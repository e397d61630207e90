import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { nameOf } from '#domain/properties/property-rows.ts'
import { moveShownPlace, type ShownPlace } from '#domain/watches/shown-place.ts'
import type { Prisma, Property } from '#generated/prisma/client.ts'

/**
 * Writes changes of a property's own columns. Its exposures count as moved if they then show another name or precision.
 * @param before the property as it is, its row locked FOR UPDATE
 */
export async function updateProperty(
  tx: Pick<Tx, 'property' | '$queryRaw' | '$executeRaw'>,
  { clock }: Pick<App, 'clock'>,
  before: Property,
  changes: Prisma.PropertyUncheckedUpdateInput,
): Promise<Property> {
  const now = clock.now()
  const property = await tx.property.update({ where: { id: before.id }, data: { ...changes, updated_at: now } })
  await moveShownPlace(tx, property, shownPlace(before), shownPlace(property), now)
  return property
}

/** Returns what exposures show of a property. */
function shownPlace(property: Property): ShownPlace {
  return { name: nameOf(property), precision: property.precision }
}
