import type { App } from '#domain/app.ts'
import { checkSourceFiles } from '#domain/archive/ingest/check-source-files.ts'
import { checkFrames } from '#domain/archive/radar/check-frames.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { CheckedStep } from '#domain/kernel/stored-fault.ts'
import { checkBasemap } from '#domain/maps/basemap/check-basemap.ts'
import { checkDrawnTiles, checkRadarDays, checkRadarOverviews, checkTileLists } from '#domain/maps/check-maps.ts'
import { checkLogos } from '#domain/plans/letterhead.ts'
import { checkDocuments } from '#domain/reports/document-store/check-documents.ts'

/** Checks one kind of stored bytes, a few per step; `repair` also repairs what is wrong. */
type CheckStep = (app: App, after: string | null, repair: boolean) => Promise<CheckedStep>

/** THE TABLE of stored bytes that cannot be read as rows, in the order in which they are checked. */
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
 * Checks the next stored bytes, a few hundred at a time, so that each step is short.
 * @param after the `next` that the previous step returned; null for the first step
 * @throws Refusal validation_failed if no step returned this value
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
