import type { MailedDay } from '#domain/alerts/compose-mail.ts'
import type { App } from '#domain/app.ts'
import { sourceLabel } from '#domain/archive/sources/index.ts'
import { TORNADO_RATING } from '#domain/archive/tornado-rating.ts'
import type { Qualifier, WatchSubject } from '#domain/closed-sets.ts'
import { type Centre, centreOf } from '#domain/evidence/distance-text.ts'
import type { NamedPlace } from '#domain/exposures/headline.ts'
import { isPrecise } from '#domain/places/place.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** Returns the storm days of a mail as they are now, without those that were removed or have no records left, or whose place is no longer watched. */
export async function readMailedDays({ pool }: Pick<App, 'pool'>, team_id: string, exposure_ids: number[]): Promise<MailedDay[]> {
  const { rows } = await pool.query<DayRow>({ name: 'alert.days', text: DAYS, values: [team_id, exposure_ids] })
  return rows.map(({ name, subject, precision, postal_code, city, state, words, ...day }) => ({
    ...day,
    place: placeOf(name, subject, { precision, postal_code, city, state }),
    words: words.map(({ source, preliminary, qualifier }) => ({ source_label: sourceLabel({ source, preliminary }), qualifier })),
  }))
}

function placeOf(name: string, subject: WatchSubject, located: Centre): NamedPlace {
  return subject === 'territory' ? { name, subject } : { name, subject, centre: isPrecise(located) ? null : centreOf(located) }
}

interface DayRow extends Omit<MailedDay, 'place' | 'words'>, Centre {
  name: string
  subject: WatchSubject
  words: { source: RecordSource; preliminary: boolean; qualifier: Qualifier | null }[]
}

/** SQL: how the figure of a record `r` was obtained; null if it states no size, speed or rating. */
const QUALIFIER = `CASE WHEN num_nonnulls(r.hail_size_in, r.wind_gust_mph, r.wind_speed_mph, CASE WHEN r.type = 'tornado' THEN ${TORNADO_RATING} END) > 0 THEN r.qualifier END`

const DAYS = `
  SELECT e.id, e.headline, e.date::text AS date, coalesce(p.label, p.street, p.query, t.name) AS name,
         CASE WHEN e.property_id IS NULL THEN 'territory' ELSE 'property' END AS subject, p.precision, p.postal_code, p.city, p.state,
         e.largest_measured_in, e.largest_detected_in, e.max_gust_mph, e.reports, e.tornado, e.nearest_miles, e.provisional, e.sample,
         coalesce((SELECT jsonb_agg(DISTINCT jsonb_build_object('source', r.source, 'preliminary', r.preliminary, 'qualifier', ${QUALIFIER}))
                     FROM archive_records r WHERE r.id = ANY (e.record_ids)), '[]') AS words
    FROM exposures e LEFT JOIN properties p ON p.team_id = e.team_id AND p.id = e.property_id
                     LEFT JOIN territories t ON t.team_id = e.team_id AND t.id = e.territory_id
   WHERE e.team_id = $1 AND e.id = ANY ($2::int[]) AND NOT e.withdrawn
     AND coalesce(p.status, t.status) = 'watching'
   ORDER BY e.date, e.id`
