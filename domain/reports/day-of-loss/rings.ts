import type { NearbyRecord, SearchWindow } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { bearingOf } from '#domain/evidence/distance-text.ts'
import { PRIMARY_MILES, SECONDARY_MILES } from '#domain/evidence/relevance.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import { present } from '#domain/kernel/present.ts'
import { hazards, strengths, strongestOf } from '#domain/reports/day-of-loss/hazards.ts'
import { type DayRelation, relationOf } from '#domain/reports/day-of-loss/near-days.ts'
import type { Loss } from '#domain/reports/day-of-loss/read-loss.ts'
import type { RingView, StrongestView } from '#domain/reports/day-of-loss/view.ts'
import { evidenceKinds } from '#domain/weather/sources.ts'

/** Miles of the rings of a report. */
export const RINGS = [1, PRIMARY_MILES, SECONDARY_MILES]

/** Returns the rings of 1, 3 and 10 miles, cut to the report's radius. */
export function ringsOf(records: NearbyRecord[], { date: loss }: Pick<Loss, 'date'>, { radius_miles }: SearchWindow): RingView[] {
  return [...new Set(RINGS.map((miles) => Math.min(miles, radius_miles)))].map((miles) => {
    const inside = records.filter(({ distance_miles }) => distance_miles !== null && distance_miles <= miles)
    const related = (relation: DayRelation) => inside.filter(({ occurred_on }) => relationOf(occurred_on, loss) === relation)
    return {
      radius_miles: miles,
      records: related('date_of_loss').length,
      near_records: related('near').length,
      strongest: (['date_of_loss', 'near'] as const).flatMap((relation) => strongestIn(relation, related(relation))),
    }
  })
}

function strongestIn(relation: StrongestView['relation'], records: NearbyRecord[]): StrongestView[] {
  return hazards.flatMap((hazard) =>
    evidenceKinds.flatMap((channel): StrongestView[] => {
      const strongest = strongestOf(
        hazard,
        records.filter(({ evidence_kind }) => evidence_kind === channel),
      )
      if (!strongest) return []
      return [
        {
          relation,
          hazard,
          channel,
          occurred_on: strongest.occurred_on,
          hail_size_in: hundredths(strongest.hail_size_in),
          wind_mph: hundredths(strengths.wind(strongest)),
          tornado_rating: hazard === 'tornado' ? tornadoRating(strongest) : null,
          distance_miles: hundredths(present(strongest.distance_miles)),
          bearing: bearingOf(strongest),
          citation_url: strongest.citation_url,
        },
      ]
    }),
  )
}
