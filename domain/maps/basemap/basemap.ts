import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { type ByteRanges, fileRanges, urlRanges } from '#domain/engines/byte-ranges.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { BadBasemap, type BasemapArchive, openArchive } from '#domain/maps/basemap/archive.ts'
import { currentBasemap, storedRanges } from '#domain/maps/basemap/store.ts'

/** The current basemap under the maps. */
export interface Basemap {
  archive: BasemapArchive
  /** Differs for each basemap, so that browsers do not show cached tiles of another one. */
  version: string
}

type Sources = Pick<App, 'blobs' | 'config' | 'clock' | 'log'>

/** How often a process checks whether another basemap was imported, or the one of the setting was replaced. */
const CHECK_INTERVAL_MS = 10_000
/** Where the header and the root directory of a PMTiles archive are: they have the lengths of all its parts, so archives differ here. */
const START_BYTES = 16_384

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
  if (basemap) return openSetting(app, basemap.kind === 'file' ? fileRanges(basemap.path) : urlRanges(basemap.url), known)
  const stored = await currentBasemap(app)
  return stored && openUnlessKnown(storedRanges(app, stored), JSON.stringify(stored), known)
}

/** Opens a file or an archive on a web server, which may be replaced in place. One that cannot be read now stays the basemap. */
async function openSetting({ log }: Sources, ranges: ByteRanges, known: Basemap | null): Promise<Basemap | null> {
  try {
    return await openUnlessKnown(ranges, await ranges.read(0, START_BYTES), known)
  } catch (fault) {
    if (!known || fault instanceof BadBasemap) throw fault
    log.warn({ reason: messageOf(fault) }, 'the basemap could not be checked for changes')
    return known
  }
}

/** @param identity differs for each basemap, and is the same in every process */
async function openUnlessKnown(ranges: ByteRanges, identity: string | Buffer, known: Basemap | null): Promise<Basemap> {
  const version = createHash('sha1').update(identity).digest('hex').slice(0, 12)
  return known?.version === version ? known : { archive: await openArchive(ranges), version }
}
