import type { App } from '#domain/app.ts'
import { isSuspectBeyondExtent } from '#domain/archive/plausibility.ts'
import type { Tx } from '#domain/engines/database.ts'
import { awaitedDays, type Backfill } from '#domain/exposures/awaited-days.ts'
import { composeExposure } from '#domain/exposures/compose.ts'
import { addTo, type DetectionCounts, NO_CHANGES, type TeamCounts, updateUnchanged } from '#domain/exposures/detection-counts.ts'
import type { Draft, ReplaceOptions } from '#domain/exposures/exposure-change.ts'
import { matchRecords } from '#domain/exposures/match.ts'
import { replaceExposures } from '#domain/exposures/replace-exposures.ts'
import { stageAtBegin, type WarningTask } from '#domain/exposures/stage-at-begin.ts'
import { type TouchedDay, touchedDays } from '#domain/exposures/touched-days.ts'
import { detectWarnings } from '#domain/exposures/warnings.ts'
import { withDetectionLock } from '#domain/exposures/with-detection-lock.ts'
import type { DetectionTask } from '#domain/kernel/outbox.ts'
import { runTeamByTeam } from '#domain/kernel/team-by-team.ts'
import { type Plan, planOf } from '#domain/plans/plans.ts'
import { pendingBackfills } from '#domain/watches/watch-cells.ts'
import { type ShapeCache, watchedPlaces } from '#domain/watches/watched-places.ts'

/**
 * Updates the exposures of every place that an archive change may have touched. Each storm day is rebuilt from all of its
 * records, so repeats, their order and a crash midway make no difference. The counts are added to the monitoring run that
 * brought the change.
 * @throws Error after all other teams are updated, if a team could not be: the job then runs again
 */
export async function detect(app: App, task: DetectionTask): Promise<DetectionCounts> {
  const sum = { ...NO_CHANGES }
  try {
    if (task.warnings) await detectWarningTask(app, { ...task, warnings: task.warnings }, sum)
    else await detectRecords(app, task, sum)
  } finally {
    await countInRun(app, task, sum)
  }
  return sum
}

async function countInRun({ db }: Pick<App, 'db'>, { run_id }: DetectionTask, { written, notified }: DetectionCounts): Promise<void> {
  if (run_id === undefined || written + notified === 0) return
  await db.monitoringRun.updateMany({
    where: { id: run_id },
    data: { written: { increment: written }, notified: { increment: notified } },
  })
}

/** The next detection is staged first: a warning that begins during this one is announced by either. */
async function detectWarningTask(app: App, task: WarningTask, sum: DetectionCounts): Promise<void> {
  if (!task.quiet) await stageAtBegin(app, task)
  await detectWarnings(app, task.warnings, task.quiet, sum)
}

async function detectRecords(app: App, { quiet, ...change }: DetectionTask, sum: DetectionCounts): Promise<void> {
  const shapeCache: ShapeCache = new Map()
  await runTeamByTeam(app, touchedDays(app.pool, change), 'the storm days of a team could not be updated', async ({ days }) =>
    addTo(sum, await updateDayExposures(app, days, { quiet, counts_as_posted: false }, shapeCache)),
  )
}

/** How days are recorded: by a detection of the archive's changes, or by the backfill of one place. */
interface Announcement extends Pick<ReplaceOptions, 'quiet' | 'counts_as_posted'> {
  backfill?: Backfill
}

const ANNOUNCED = { quiet: false, counts_as_posted: false }

/**
 * Updates the exposures of some days of one team. The places of a lapsed team are handled like any others:
 * existing places stay watched. Exposures found before a place moved are its history and stay, whether its backfill or this detection reaches them
 * first.
 */
export async function updateDayExposures(
  app: App,
  days: TouchedDay[],
  announcement: Announcement,
  shapeCache: ShapeCache = new Map(),
): Promise<DetectionCounts> {
  const update = (of: TouchedDay[]) => updateOnce(app, of, announcement, shapeCache)
  // A watch that changes during its backfill has another backfill, which knows what is to be announced.
  if (announcement.backfill) return (await update(days)) ?? NO_CHANGES
  return updateUnchanged(days, update)
}

/** Updates in one transaction. */
async function updateOnce(
  app: App,
  days: TouchedDay[],
  { backfill, ...announcement }: Announcement,
  shapeCache: ShapeCache,
): Promise<TeamCounts | null> {
  const [first] = days
  if (!first) return null
  return withDetectionLock(app, first.team_id, async (tx, team) => {
    const plan = planOf(team, app.clock.now())
    const places = await watchedPlaces(app.pool, team.id, days, plan, shapeCache)
    const { by_day, beyond } = await matchRecords(app.pool, days, places)
    // Queried last, to include places that moved during this detection.
    const movedIds = await pendingBackfills(tx, days)
    const drafts = days.flatMap(({ subject_id, date }, index): Draft[] => {
      const place = places.get(subject_id)
      if (!place) return []
      const records = by_day[index] ?? []
      const content = composeExposure(place, date, records, beyond)
      const suspect_count = records.every(isSuspectBeyondExtent) ? records.length : 0
      const cited = records.filter(({ id }) => content?.record_ids.includes(id))
      return [
        {
          place,
          kind: 'record',
          date,
          warning_key: null,
          warning: null,
          content,
          cited,
          suspect_count,
          keep_as_history: movedIds.has(subject_id),
        },
      ]
    })
    await markOutsidePlanRadius(tx, app.pool, team.id, plan, drafts)
    const includes = { live_warnings: plan.includes.live_warnings, alerts_in: plan.includes.record_alerts ? team : null }
    const awaited = backfill ? await awaitedDays(tx, backfill, [...new Set(days.map(({ date }) => date))]) : new Set()
    const [loud, others] = [drafts.filter(({ date }) => awaited.has(date)), drafts.filter(({ date }) => !awaited.has(date))]
    const [one, other] = [
      await replaceExposures(tx, app, team.id, others, { ...announcement, ...includes }),
      await replaceExposures(tx, app, team.id, loud, { ...ANNOUNCED, ...includes }),
    ]
    return {
      written: one.written + other.written,
      notified: one.notified + other.notified,
      changed: new Set([...one.changed, ...other.changed]),
    }
  })
}

/** Marks the drafts that are empty because the plan's radius, not the archive, leaves out the records on file. */
async function markOutsidePlanRadius(
  tx: Tx,
  pool: App['pool'],
  team_id: string,
  { watch_radius_miles }: Pick<Plan, 'watch_radius_miles'>,
  drafts: Draft[],
): Promise<void> {
  const candidates = drafts.filter(
    ({ content, keep_as_history, place }) =>
      !content && !keep_as_history && place.subject === 'property' && place.radius_miles === watch_radius_miles,
  )
  if (candidates.length === 0) return
  const existingDays = new Set(
    (await tx.$queryRawUnsafe<{ day: string }[]>(EXISTING_DAYS, team_id, ...columnsOf(candidates))).map(({ day }) => day),
  )
  const emptied = candidates.filter((draft) => existingDays.has(`${draft.place.id} ${draft.date}`))
  if (emptied.length === 0) return
  const days = emptied.map(({ place, date }): TouchedDay => ({ team_id, subject: place.subject, subject_id: place.id, date }))
  const unlimitedPlaces = await watchedPlaces(pool, team_id, days, { watch_radius_miles: Number.POSITIVE_INFINITY })
  const { by_day, beyond } = await matchRecords(pool, days, unlimitedPlaces)
  for (const [index, draft] of emptied.entries()) {
    const place = unlimitedPlaces.get(draft.place.id)
    draft.keep_as_history = place !== undefined && composeExposure(place, draft.date, by_day[index] ?? [], beyond) !== null
  }
}

const columnsOf = (drafts: Draft[]) => [drafts.map(({ place }) => place.id), drafts.map(({ date }) => date)]
const EXISTING_DAYS = `
  SELECT e.property_id || ' ' || e.date AS day FROM unnest($2::uuid[], $3::date[]) AS requested (property_id, date)
    JOIN exposures e ON e.team_id = $1::uuid AND e.property_id = requested.property_id AND e.date = requested.date AND e.kind = 'record'`
