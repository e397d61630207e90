import type { NearbyRecord, SearchWindow } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import { nearestOf, trusted } from '#domain/evidence/extremes.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import { type Hazard, hazardOf, strengths, strongestOf } from '#domain/reports/day-of-loss/hazards.ts'
import { datesNear, NEAR_DAYS, overlapsDay, relationOf } from '#domain/reports/day-of-loss/near-days.ts'
import type { Loss } from '#domain/reports/day-of-loss/read-loss.ts'
import type { DayView } from '#domain/reports/day-of-loss/view.ts'
import type { WarningOver } from '#domain/reports/warnings-over.ts'
import { severityRank } from '#domain/weather/severities.ts'
import type { EvidenceKind } from '#domain/weather/sources.ts'

/** Miles: a day without a record within this distance is not a rival. */
const RIVAL_MILES = 10
/** The most rival days named: few enough for a table to be read at a glance. */
export const RIVALS_MAX = 12
/** The date of loss, the days near it, and the rival days. */
export const DAYS_MAX = 1 + 2 * NEAR_DAYS + RIVALS_MAX

/** Returns the date itself always, the days near it that have a record or a warning, and the rival days: newest first. */
export function daysOf(records: NearbyRecord[], { date: loss, warnings }: Loss, window: SearchWindow, timezone: string): DayView[] {
  const byDate = groupBy(records, ({ occurred_on }) => occurred_on)
  const near = datesNear(loss).filter((date) => date >= window.start && date <= window.end)
  const rivals = rivalsOf(byDate, loss)
  return [...new Set([loss, ...near, ...rivals])]
    .sort()
    .reverse()
    .map((date) => dayOf(date, byDate.get(date) ?? [], warnings, loss, timezone))
    .filter(({ relation, records, warnings }) => relation !== 'near' || records + warnings > 0)
}

/** Returns other days with a moderate or stronger sound record within 10 miles: the most severe first, then the nearest, then the newest. */
function rivalsOf(byDate: Map<string, NearbyRecord[]>, loss: string): string[] {
  return [...byDate]
    .filter(([date]) => relationOf(date, loss) === 'other')
    .flatMap(([date, records]) => {
      const strong = trusted(records).filter(isRival)
      const peak = Math.max(...strong.map(({ severity }) => severityRank(severity)))
      const nearest = nearestOf(strong.filter(({ severity }) => severityRank(severity) === peak))
      return nearest ? [{ date, peak, miles: present(nearest.distance_miles) }] : []
    })
    .sort((a, b) => b.peak - a.peak || a.miles - b.miles || (a.date < b.date ? 1 : -1))
    .slice(0, RIVALS_MAX)
    .map(({ date }) => date)
}

const isRival = (record: NearbyRecord) =>
  hazardOf(record) !== null &&
  record.distance_miles !== null &&
  record.distance_miles <= RIVAL_MILES &&
  severityRank(record.severity) >= severityRank('moderate')

function dayOf(date: string, records: NearbyRecord[], warnings: WarningOver[], loss: string, timezone: string): DayView {
  return {
    date,
    ...hazardsOf(records),
    warnings: warnings.filter(({ periods }) => periods.some((period) => overlapsDay(period, date, timezone))).length,
    records: records.length,
    relation: relationOf(date, loss),
  }
}

/** Returns the strongest hail, wind and tornado among the sound records of one day, by channel, and the nearest distance observed. */
export function hazardsOf(records: NearbyRecord[]): Pick<DayView, Hazard> {
  const observed = records.filter((record) => !isRadar(record))
  const by = (channel: EvidenceKind) => records.filter(({ evidence_kind }) => evidence_kind === channel)
  const value = (hazard: Hazard, candidates: NearbyRecord[]) => {
    const strongest = strongestOf(hazard, candidates)
    return strongest && hundredths(strengths[hazard](strongest))
  }
  const tornado = strongestOf('tornado', observed)
  return {
    hail: { ground_in: value('hail', observed), radar_in: value('hail', by('radar')), nearest_miles: nearestMiles('hail', observed) },
    wind: {
      ground_mph: value('wind', by('ground')),
      instrument_mph: value('wind', by('instrument')),
      nearest_miles: nearestMiles('wind', observed),
    },
    tornado: { rating: tornado && tornadoRating(tornado), nearest_miles: nearestMiles('tornado', observed) },
  }
}

function nearestMiles(hazard: Hazard, observed: NearbyRecord[]): number | null {
  const nearest = nearestOf(trusted(observed).filter((record) => hazardOf(record) === hazard && record.distance_miles !== null))
  return hundredths(nearest?.distance_miles ?? null)
}
