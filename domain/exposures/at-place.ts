import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import type { WatchSubject } from '#domain/closed-sets.ts'
import type { ExposureListing } from '#domain/exposures/check-filters.ts'
import { listExposures } from '#domain/exposures/find.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import type { PageOf } from '#domain/kernel/pagination.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'

/**
 * Returns the storm days and warnings at one of the team's watched places, newest date first.
 * @throws Refusal 404 for a place that is not the team's; 422 with every invalid filter
 */
export async function listExposuresAt(
  app: Pick<App, 'pool' | 'config' | 'clock'>,
  caller: Pick<Caller, 'team'>,
  subject: WatchSubject,
  id: string,
  input: ExposureListing,
): Promise<PageOf<ExposureView>> {
  if (!(await hasPlace(app.pool, caller.team.id, subject, id))) throw new Refusal('not_found', `There is no ${subject} with this id.`)
  return listExposures(app, caller, input, subject === 'property' ? { property_id: id } : { territory_id: id })
}

async function hasPlace(pool: App['pool'], team_id: string, subject: WatchSubject, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const { rowCount } = await pool.query({ name: `exposure.${subject}`, text: PLACE_EXISTS[subject], values: [team_id, id] })
  return rowCount === 1
}

const PLACE_EXISTS: Record<WatchSubject, string> = {
  property: 'SELECT FROM properties WHERE team_id = $1 AND id = $2',
  territory: 'SELECT FROM territories WHERE team_id = $1 AND id = $2',
}
