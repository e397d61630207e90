import type { Caller } from '#domain/access/caller.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { noSuchTerritory } from '#domain/territories/territory-rows.ts'
import { deleteWatch } from '#domain/watches/watch-cells.ts'
import type { Territory } from '#generated/prisma/client.ts'

/**
 * Removes a territory with its exposures; the ledger of deliveries keeps the exposures' ids.
 * @throws Refusal 404
 */
export async function removeTerritory(caller: Pick<Caller, 'team' | 'db'>, id: string): Promise<void> {
  if (!isUuid(id)) throw noSuchTerritory()
  await caller.db.$transaction(async (tx) => {
    // Lock territory, team and exposures in this order, as do all writers of exposures.
    const [before] = await tx.$queryRaw<Pick<Territory, 'status' | 'kind' | 'area_sq_miles'>[]>`
      SELECT status, kind, area_sq_miles FROM territories WHERE id = ${id}::uuid AND team_id = ${caller.team.id}::uuid FOR UPDATE`
    await lockTeamRow(tx, caller.team.id)
    await deleteWatch(tx, id)
    const { count } = await tx.territory.deleteMany({ where: { id } })
    if (count === 0) throw noSuchTerritory()
    auditWrite(tx, { kind: 'territory', id, before: before ?? null })
  })
}
