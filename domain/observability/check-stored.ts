import type { App } from '#domain/app.ts'
import { checkSourceFiles } from '#domain/archive/ingest/check-source-files.ts'
import { checkFrames } from '#domain/archive/radar/check-frames.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { CheckedStep } from '#domain/kernel/stored-fault.ts'
import { checkBasemap } from '#domain/maps/basemap/check-basemap.ts'
import { checkDrawnTiles, checkRadarDays, checkRadarOverviews, checkTileLists } from '#domain/maps/check-maps.ts'
import { checkLogos } from '#domain/plans/letterhead.ts'
import { checkDocuments } from '#domain/reports/document-store/check-documents.ts'

/** Looks at a kind of stored bytes, some of them a step; `repair` also sees to what is wrong. */
type CheckStep = (app: App, after: string | null, repair: boolean) => Promise<CheckedStep>

/** THE TABLE of bytes that the service keeps and cannot read as rows, in the order in which they are looked at. */
const checks: Record<string, CheckStep> = {
  documents: checkDocuments,
  logos: checkLogos,
  frames: checkFrames,
  radar_days: checkRadarDays,
  radar_overviews: checkRadarOverviews,
  tile_lists: checkTileLists,
  drawn_tiles: checkDrawnTiles,
  basemap: checkBasemap,
  source_files: checkSourceFiles,
}

/**
 * Looks at the next of all stored bytes; a few hundred of them, so that each step is short.
 * @param after what the step before answered as `next`; null for the first
 * @throws Refusal validation_failed where no step answered this
 */
export async function checkStored(app: App, after: string | null, repair: boolean): Promise<CheckedStep> {
  const names = Object.keys(checks)
  const [, name, place] = /^([a-z_]+):(.*)$/.exec(after ?? `${names[0]}:`) ?? []
  const check = checks[name ?? '']
  if (!check || name === undefined)
    throw new Refusal('validation_failed', 'No step of this check ends there.', { errors: { after: ['No step ends there.'] } })
  const step = await check(app, place || null, repair)
  const following = names[names.indexOf(name) + 1]
  const next = step.next !== null ? `${name}:${step.next}` : following === undefined ? null : `${following}:`
  return { ...step, next }
}
