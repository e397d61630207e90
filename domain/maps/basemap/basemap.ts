import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { fileRanges, urlRanges } from '#domain/engines/byte-ranges.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { type BasemapArchive, openArchive } from '#domain/maps/basemap/archive.ts'
import { currentBasemap, storedRanges } from '#domain/maps/basemap/store.ts'

/** The current basemap under the maps. */
export interface Basemap {
  archive: BasemapArchive
  /** Differs for each basemap, so that browsers do not show cached tiles of another one. */
  version: string
}

type Sources = Pick<App, 'blobs' | 'config' | 'clock' | 'log'>

/** How often a process checks whether another basemap was imported. */
const CHECK_INTERVAL_MS = 10_000

/**
 * Opens the basemap of the setting, a file or an archive on a web server; without a setting, the imported basemap. Null if there is none, or
 * if it cannot be read, which is logged.
 */
export function openBasemap(app: Sources): () => Promise<Basemap | null> {
  let known: Basemap | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let inFlight: Promise<Basemap | null> | null = null
  const refresh = async () => {
    try {
      known = await findBasemap(app, known)
    } catch (fault) {
      app.log.warn({ reason: messageOf(fault) }, 'the basemap cannot be read: maps are drawn without it')
      known = null
    }
    checkedAt = app.clock.now().getTime()
    return known
  }
  return async () => {
    if (app.clock.now().getTime() - checkedAt < CHECK_INTERVAL_MS) return known
    inFlight ??= refresh().finally(() => {
      inFlight = null
    })
    return inFlight
  }
}

async function findBasemap(app: Sources, known: Basemap | null): Promise<Basemap | null> {
  const { basemap } = app.config
  if (basemap?.kind === 'tiles') return null
  const stored = basemap ? null : await currentBasemap(app)
  if (!basemap && !stored) return null
  const version = createHash('sha1')
    .update(JSON.stringify(basemap ?? stored))
    .digest('hex')
    .slice(0, 12)
  if (known?.version === version) return known
  const ranges = stored ? storedRanges(app, stored) : basemap?.kind === 'file' ? fileRanges(basemap.path) : urlRanges(basemap?.url ?? '')
  return { archive: await openArchive(ranges), version }
}
