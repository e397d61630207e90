import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { emitPropertyEvent } from '#domain/properties/property-events.ts'
import { noSuchProperty } from '#domain/properties/property-rows.ts'
import { deleteWatch } from '#domain/watches/watch-cells.ts'
import type { Property } from '#generated/prisma/client.ts'

/**
 * Removes a property with its contacts and exposures. Its reports stay, without a property.
 * @throws Refusal 404
 */
export async function removeProperty(caller: Pick<Caller, 'team' | 'db'>, id: string): Promise<void> {
  if (!isUuid(id)) throw noSuchProperty()
  await once(caller, null, async (tx) => {
    const [property] = await tx.$queryRaw<Pick<Property, 'team_id' | 'id' | 'status' | 'kind' | 'watch_radius_miles' | 'located'>[]>`
      SELECT team_id, id, status, kind, watch_radius_miles, located FROM properties WHERE id = ${id}::uuid AND team_id = ${caller.team.id}::uuid FOR UPDATE`
    if (!property) throw noSuchProperty()
    // Lock property, reports, team and exposures in this order, as do requests and completions of reports and all writers of exposures.
    await tx.report.updateMany({ where: { property_id: id }, data: { property_id: null } })
    await lockTeamRow(tx, caller.team.id)
    if (property.status !== 'archived') await emitPropertyEvent(tx, property, { name: 'property.archived', changed: [], reason: 'removed' })
    await deleteWatch(tx, id)
    await tx.property.delete({ where: { id } })
    auditWrite(tx, { kind: 'property', id, before: property })
  })
}
