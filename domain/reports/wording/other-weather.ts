import type { NearbyRecord } from '#domain/archive/record.ts'
import { placeText } from '#domain/evidence/distance-text.ts'
import { nearestOf, trusted } from '#domain/evidence/extremes.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { hazardOf } from '#domain/reports/day-of-loss/hazards.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'
import { usualOrder } from '#domain/reports/wording/statement.ts'
import type { Viewpoint } from '#domain/reports/wording/viewpoint.ts'

/**
 * Names the weather of a day beside hail, wind and tornadoes: "Other weather recorded on 2025-06-05 within 10 mi of the address: 1 record of
 * flash flood, 9.90 mi NW; 2 of lightning, nearest 0.40 mi S." Null if there is none whose place is known.
 * @param within phrase of the reach in which the records are
 */
export function otherWeatherSentence(records: NearbyRecord[], date: string, within: string, { place }: Viewpoint): string | null {
  const byType = groupBy(
    records.filter((record) => hazardOf(record) === null),
    ({ type }) => type,
  )
  const parts = usualOrder.flatMap((type) => {
    const ofType = byType.get(type)
    return ofType ? [`${pluralize(ofType.length, 'record')} of ${typeName(type)}, ${whereText(ofType, place)}`] : []
  })
  return parts.length === 0 ? null : `Other weather recorded on ${date} ${within}: ${parts.join('; ')}.`
}

/** The nearest of them without a caveat: "9.90 mi NW", "nearest 0.40 mi S". */
function whereText(records: NearbyRecord[], place: Viewpoint['place']): string {
  const nearest = nearestOf(trusted(records))
  if (!nearest) return records.length === 1 ? 'with a caveat' : 'each with a caveat'
  return `${records.length > 1 ? 'nearest ' : ''}${placeText(nearest, place)}`
}
