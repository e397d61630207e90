import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { type ByteRanges, fileRanges, urlRanges } from '#domain/engines/byte-ranges.ts'
import { codeOf, messageOf } from '#domain/kernel/fault.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { BadBasemap, type BasemapArchive, openArchive } from '#domain/maps/basemap/archive.ts'
import { currentBasemap, storedRanges } from '#domain/maps/basemap/store.ts'

/** The current basemap under the maps. */
export interface Basemap {
  archive: BasemapArchive
  /** Differs for each basemap, so that browsers do not show cached tiles of another one. */
  version: string
}

type Sources = Pick<App, 'blobs' | 'config' | 'clock' | 'http' | 'log'>

/** How often a process checks whether another basemap was imported, or the one of the setting was replaced. */
const CHECK_INTERVAL_MS = 10_000
/** Where the header and the root directory of a PMTiles archive are: they have the lengths of all its parts, so archives differ here. */
const START_BYTES = 16_384

/**
 * Opens the basemap of the setting, a file or an archive on a web server; without a setting, the imported basemap. Null if there is none, or
 * if it is unusable, which is logged. One that cannot be read now stays the basemap.
 * @throws Refusal engine_unavailable if no basemap is known because it could not be read
 */
export function openBasemap(app: Sources): () => Promise<Basemap | null> {
  /** Undefined until a check succeeded. */
  let known: Basemap | null | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let inFlight: Promise<void> | null = null
  const refresh = async () => {
    try {
      known = await findBasemap(app, known ?? null)
    } catch (fault) {
      if (fault instanceof BadBasemap) known = null
      // A file that is missing when it is first sought.
      if (codeOf(fault) === 'ENOENT') known ??= null
      const what = known ? 'the basemap could not be checked for changes' : 'the basemap cannot be read: maps are drawn without it'
      app.log.warn({ reason: messageOf(fault) }, what)
    }
    checkedAt = app.clock.now().getTime()
  }
  return async () => {
    if (app.clock.now().getTime() - checkedAt >= CHECK_INTERVAL_MS) {
      inFlight ??= refresh().finally(() => {
        inFlight = null
      })
      await inFlight
    }
    if (known === undefined) throw new Refusal('engine_unavailable', UNREAD, { retry_after: CHECK_INTERVAL_MS / 1000 })
    return known
  }
}

const UNREAD = `The basemap cannot be read at the moment. Try again in ${CHECK_INTERVAL_MS / 1000} s.`

async function findBasemap(app: Sources, known: Basemap | null): Promise<Basemap | null> {
  const { basemap } = app.config
  if (basemap?.kind === 'tiles') return null
  if (basemap) {
    const ranges = basemap.kind === 'file' ? fileRanges(basemap.path) : urlRanges(app.http, basemap.url)
    // It may be replaced in place.
    return openUnlessKnown(ranges, await ranges.read(0, START_BYTES), known)
  }
  const stored = await currentBasemap(app)
  return stored && openUnlessKnown(storedRanges(app, stored), JSON.stringify(stored), known)
}

/** @param identity differs for each basemap, and is the same in every process */
async function openUnlessKnown(ranges: ByteRanges, identity: string | Buffer, known: Basemap | null): Promise<Basemap> {
  const version = createHash('sha1').update(identity).digest('hex').slice(0, 12)
  return known?.version === version ? known : { archive: await openArchive(ranges), version }
}
