import type pg from 'pg'
import { type DayHours, joinHours } from '#domain/archive/radar/day-hours.ts'
import { blocksWithin } from '#domain/archive/radar/grid.ts'
import { boxAround } from '#domain/archive/radar/nearby.ts'
import type { Point } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'
import { cellsOfBlock } from '#domain/maps/block-cache.ts'
import { cellsInside } from '#domain/maps/swath-day.ts'
import { type Swath, swathsOf } from '#domain/maps/swaths.ts'
import { isTrusted } from '#domain/reports/document/figures.ts'
import { type Html, html, raw } from '#domain/reports/document/html.ts'
import type { MapFrame } from '#domain/reports/document/map-frame.ts'
import { outline } from '#domain/reports/document/map-ground.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'
import { largestOf } from '#domain/reports/wording/largest-of-hours.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'

/** The swaths of one day around a place. */
export interface DrawnSwaths {
  /** YYYY-MM-DD */
  day: string
  /** The hours that they cover: "largest of the day". */
  largest_of: string
  swaths: Swath[]
}

/** The parts of a report that decide which day's swaths its map shows. */
interface SwathQuery {
  date_of_loss: string | null
  sample: boolean
  /** The point in time of the archive that the report is made from: a day whose values were raised since is not drawn. */
  known_at: string
}

/**
 * Returns the day whose swaths a report's map shows: the date of loss if radar is cited for it, else the day of the largest estimate cited.
 * Null if there is no sound estimate. Pure.
 */
export function swathDayOf(records: CitedRecordView[], date_of_loss: string | null): string | null {
  const radar = records.filter((record) => record.provenance.evidence_kind === 'radar' && isTrusted(record))
  if (radar.some(({ occurred_on }) => occurred_on === date_of_loss)) return date_of_loss
  const size = ({ measurements }: CitedRecordView) => measurements.hail_size_in ?? 0
  return radar.reduce<CitedRecordView | null>((most, one) => (most && size(most) >= size(one) ? most : one), null)?.occurred_on ?? null
}

const RADAR_DAYS = `
  SELECT block, data, from_at, until_at, of_moments, file_id, revision,
         coalesce((SELECT k.known_at > $4 FROM archive_revisions k WHERE k.id = d.revision), false) AS is_later
    FROM radar_days d WHERE block = ANY($1::int[]) AND day = $2 AND source = $3`

type RadarDayRow = Omit<DayHours, 'from_at'> & { from_at: Date | null; block: number; data: Buffer; is_later: boolean }

/** Returns the swaths of a report's map; null if there are none, or if the stored day is not the one that the report was made from. */
export async function readSwaths(
  pool: Pick<pg.ClientBase, 'query'>,
  place: Point & { timezone: string },
  reach_miles: number,
  records: CitedRecordView[],
  { date_of_loss, sample, known_at }: SwathQuery,
): Promise<DrawnSwaths | null> {
  const day = swathDayOf(records, date_of_loss)
  if (day === null) return null
  const box = boxAround(place, reach_miles)
  const { rows } = await pool.query<RadarDayRow>({
    name: 'document.swaths',
    text: RADAR_DAYS,
    values: [blocksWithin(box), day, sample ? 'sample' : 'noaa_mesh', known_at],
  })
  const hours = rows.flatMap(({ from_at, is_later, ...row }) => (from_at === null || is_later ? [] : [{ ...row, from_at }]))
  const swaths = swathsOf(rows.map(({ block, data }) => cellsInside(cellsOfBlock(block, data), box)))
  if (hours.length < rows.length || swaths.length === 0) return null
  const { from_at, until_at, of_moments } = hours.reduce<DayHours>(joinHours, present(hours[0]))
  return { day, largest_of: largestOf({ day, from_at, until_at, of_moments: of_moments === true }, place.timezone), swaths }
}

/** Draws the bands as areas, below everything that is drawn at a point. */
export function swathShapes({ swaths }: DrawnSwaths, frame: MapFrame): string {
  return swaths
    .map(({ from_in, polygons }) => {
      const rings = polygons.flat().map((ring) => outline(ring.map((position) => frame.project(position))))
      return `<path d="${rings.join('')}" ${bandAttributes(from_in)} fill-rule="evenodd"/>`
    })
    .join('')
}

/** Prints the meaning of the bands. Their sizes have no unit beside them: no record states the edge of a band. */
export function swathLegend({ day, largest_of, swaths }: DrawnSwaths): Html {
  return html`<p class="fine">Swaths of ${day}: hail size that radar estimated, ${largest_of}, by bands of inches. Estimates of hail aloft.</p>
    <ul class="legend across">${swaths.map(
      ({ from_in, to_in }) =>
        html`<li>${raw(`<svg viewBox="0 0 14 14" class="key" aria-hidden="true"><rect x="0.5" y="0.5" width="13" height="13" ${bandAttributes(from_in)}/></svg>`)} ${to_in === null ? `${from_in.toFixed(2)} and more` : `${from_in.toFixed(2)} to ${to_in.toFixed(2)}`}</li>`,
    )}</ul>`
}

/** Returns the colour of the largest band, more transparent for smaller bands: names and lines stay legible on all of them, in print too. */
function bandAttributes(from_in: number): string {
  const opacity = OPACITY_MIN + STEP * swathBands.filter((band) => band < from_in).length
  return `fill="${COLOUR}" fill-opacity="${opacity.toFixed(2)}" stroke="${COLOUR}" stroke-opacity="0.45" stroke-width="0.7"`
}

const COLOUR = present(radarBands.at(-1)).colour
const OPACITY_MIN = 0.08
const STEP = 0.07
