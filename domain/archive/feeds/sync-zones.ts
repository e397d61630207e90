import { Readable } from 'node:stream'
import { isOlder, moveWatermark, openFeed, saveFeedAnswer, validatorsOf } from '#domain/archive/feeds/feed-states.ts'
import type { FeedEngines, ImportSummary } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import { conditionalGet } from '#domain/archive/sources/feed.ts'
import type { Ask } from '#domain/archive/sources/source.ts'
import { unavailable } from '#domain/archive/sources/unavailable.ts'
import { ZONE_FILE_MAX, zones } from '#domain/archive/sources/zones.ts'
import type { ActorKind } from '#domain/closed-sets.ts'
import { HttpFailure } from '#domain/engines/http.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** The page that names the files, and the folder that contains them: /source/gis/Shapefiles/County/bp18mr25.dbx */
const PAGE = 'https://www.weather.gov/gis/ZoneCounty'
const FOLDER = 'https://www.weather.gov/source/gis/Shapefiles/County/'
/** The page has about 60 kB. It is read in full each time, because a file that it already names comes into force later. */
const PAGE_BOUNDS = { max_bytes: 2_097_152, unconditional: true }
const FILE_BOUNDS = { max_bytes: ZONE_FILE_MAX }

/**
 * Updates the table of forecast zones to the file in force, as named on the agency's own page. A file that was read before
 * is requested conditionally.
 * @returns the summary of the import; null if nothing is newer than the stored table
 * @throws Refusal not_found if the page does not exist, engine_unavailable if the page or the file cannot be fetched, or
 *   the page names no such file
 */
export async function syncZones(app: FeedEngines, monitoring_run_id?: number, by: ActorKind = 'service'): Promise<ImportSummary | null> {
  await openFeed(app, zones.id)
  const ask = withRefusals(conditionalGet(app.http, (url) => validatorsOf(app, url)))
  const page = await ask(PAGE, PAGE_BOUNDS)
  if (!page) throw new Refusal('not_found', sentenceOf('its page does not exist'))
  const name = fileInForce(page.body.toString('latin1'), app.clock.now())
  if (name === null) throw unavailable(sentenceOf('its page names no zone and county file'))
  const file = await ask(FOLDER + name, FILE_BOUNDS)
  let summary: ImportSummary | null = null
  if (file && !(await isOlder(app, file))) {
    const options = {
      file_name: name,
      continues_feed: true,
      origin: { from: file.url, by },
      ...(monitoring_run_id !== undefined && { monitoring_run_id }),
    }
    summary = await ingest(app, zones.slug, Readable.from([file.body]), options)
    await saveFeedAnswer(app, zones.id, file)
  }
  await moveWatermark(app, zones.id, app.clock.now())
  return summary
}

/** bpDDmmYY.dbx: the day, month and year from which the file is valid. */
const FILE_NAME = /(?<![\w.])bp(\d{2})([a-z]{2})(\d{2})\.dbx(?![\w.])/gi
/** The months as the agency's file names spell them, and as a reader would guess them: mr and ma, nv and no. */
const MONTHS = ['ja', 'fe', 'mr ma', 'ap', 'my', 'jn', 'jl', 'au', 'se', 'oc', 'nv no', 'de']

/**
 * Returns the newest file that is valid today, since files are published weeks ahead. If none is valid yet, returns the
 * earliest; null if the page names none.
 */
function fileInForce(page: string, now: Date): string | null {
  const files = [...page.matchAll(FILE_NAME)].flatMap(([name, day, letters, year]) => {
    const month = MONTHS.findIndex((names) => names.split(' ').includes(present(letters).toLowerCase()))
    const valid_from = localMoment({ year: 2000 + Number(year), month: month + 1, day: Number(day), hour: 0, minute: 0 }, 0)
    return valid_from ? [{ name, valid_from }] : []
  })
  const byDate = files.sort((one, other) => one.valid_from.getTime() - other.valid_from.getTime())
  return (byDate.findLast(({ valid_from }) => valid_from <= now) ?? byDate[0])?.name ?? null
}

/** Turns network failures into a Refusal with a full sentence. */
function withRefusals(ask: Ask): Ask {
  return async (...args) => {
    try {
      return await ask(...args)
    } catch (fault) {
      if (fault instanceof HttpFailure) throw unavailable(sentenceOf(fault.message))
      throw fault instanceof Refusal ? unavailable(sentenceOf(fault.message)) : fault
    }
  }
}

const sentenceOf = (why: string) => `The table of forecast zones cannot be read: ${why}.`
