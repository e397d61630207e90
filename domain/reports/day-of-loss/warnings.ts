import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { datesNear, overlapsDay } from '#domain/reports/day-of-loss/near-days.ts'
import type { Loss } from '#domain/reports/day-of-loss/read-loss.ts'
import type { DayWarningView } from '#domain/reports/day-of-loss/view.ts'

/** Returns the warning periods that overlap the date or a day near it, in order. */
export function warningsOnNearDays({ date: loss, warnings }: Loss, timezone: string): DayWarningView[] {
  return warnings
    .flatMap(({ event, office_name, periods, citation_url }) =>
      periods.flatMap((period): DayWarningView[] => {
        if (!datesNear(loss).some((date) => overlapsDay(period, date, timezone))) return []
        const relation = overlapsDay(period, loss, timezone) ? 'date_of_loss' : 'near'
        return [{ relation, event, office_name, from: isoSeconds(period.from), until: isoSeconds(period.until), citation_url }]
      }),
    )
    .sort((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
}
