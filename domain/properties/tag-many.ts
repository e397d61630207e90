import type { Caller } from '#domain/access/caller.ts'
import { once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { TaggingOutcome } from '#domain/closed-sets.ts'
import { idOf, list } from '#domain/kernel/fields.ts'
import { preset, readNew, required, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { foldTags, TAGS_MAX, tagList } from '#domain/properties/check-property.ts'

/** The most properties that one call tags. */
export const TAGGED_MAX = 500

/** The request body that adds tags to properties and removes tags from them. */
export const tagManyForm = {
  ids: required(list('The properties', idOf('property'), { min: 1, max: TAGGED_MAX, count: `Choose 1 to ${TAGGED_MAX} properties.` })),
  add: preset(tagList('The tags to add'), []),
  remove: preset(tagList('The tags to remove'), []),
}

/** The outcome for one property of a batch. */
export interface TaggedProperty {
  id: string
  outcome: TaggingOutcome
  /** The current tags; null if the property is not found. */
  tags: string[] | null
}

/**
 * Removes tags from up to 500 properties and adds tags to them, in one transaction. Tags that differ only by case are the same.
 * A property that the team does not have, or that would have more than 10 tags, stays as it is and does not stop the others.
 * @returns one row per distinct id, in the order sent
 * @throws Refusal 422
 */
export async function tagProperties(app: Pick<App, 'clock'>, caller: Caller, input: Sent<typeof tagManyForm>): Promise<TaggedProperty[]> {
  const faults = gatherFaults()
  const { ids: sent, add, remove } = readNew(tagManyForm, input, faults)
  faults.refuse()
  const ids = [...new Set(sent)]
  const { outcome } = await once(caller, null, async (tx) => {
    const tagsById = await lockTags(tx, caller.team.id, ids)
    const tagged = ids.map((id) => retag(id, tagsById.get(id), add, remove))
    const changed = tagged.filter(({ outcome }) => outcome === 'changed')
    if (changed.length > 0) await writeTags(tx, caller.team.id, changed, app.clock.now())
    auditWrite(tx, { kind: 'property_batch', id: null, after: countsOf(tagged), changed: ['tags'] })
    return tagged
  })
  return outcome
}

/** Returns the tags of the team's properties and locks them against other changes. */
async function lockTags(tx: ScopedTx, team_id: string, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx.$queryRaw<{ id: string; tags: string[] }[]>`
    SELECT id, tags FROM properties WHERE team_id = ${team_id}::uuid AND id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}

function retag(id: string, currentTags: string[] | undefined, add: readonly string[], remove: readonly string[]): TaggedProperty {
  if (!currentTags) return { id, outcome: 'not_found', tags: null }
  const removed = new Set(remove.map((tag) => tag.toLowerCase()))
  const tags = foldTags([...currentTags.filter((tag) => !removed.has(tag.toLowerCase())), ...add])
  if (tags.length > TAGS_MAX) return { id, outcome: 'full', tags: currentTags }
  const same = tags.length === currentTags.length && tags.every((tag, at) => tag === currentTags[at])
  return { id, outcome: same ? 'unchanged' : 'changed', tags }
}

async function writeTags(tx: ScopedTx, team_id: string, changed: readonly TaggedProperty[], now: Date): Promise<void> {
  const rows = JSON.stringify(changed.map(({ id, tags }) => ({ id, tags })))
  await tx.$executeRaw`
    UPDATE properties p SET tags = made.tags, updated_at = ${now}::timestamptz
      FROM (SELECT sent.id, ARRAY(SELECT tag FROM jsonb_array_elements_text(sent.tags) WITH ORDINALITY AS each (tag, place) ORDER BY place) AS tags
              FROM jsonb_to_recordset(${rows}::jsonb) AS sent (id uuid, tags jsonb)) made
     WHERE p.team_id = ${team_id}::uuid AND p.id = made.id`
}

/** The audit entry of the whole batch: the ids of the properties that changed, and counts of those that did not. */
function countsOf(tagged: readonly TaggedProperty[]) {
  const of = (outcome: TaggingOutcome) => tagged.flatMap((one) => (one.outcome === outcome ? [one.id] : []))
  return { unchanged: of('unchanged').length, full: of('full').length, not_found: of('not_found').length, property_ids: of('changed') }
}
