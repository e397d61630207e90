import type { WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { isSuspect } from '#domain/archive/plausibility.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import { measuredFrom, placeText } from '#domain/evidence/distance-text.ts'
import { isRadar } from '#domain/evidence/episodes.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { present } from '#domain/kernel/present.ts'
import { joinList, pluralize } from '#domain/kernel/text.ts'
import { isPrecise } from '#domain/places/place.ts'
import { RIVALS_MAX } from '#domain/reports/day-of-loss/days.ts'
import { type Hazard, hazardOf, hazards, strengths, strongestOf } from '#domain/reports/day-of-loss/hazards.ts'
import { type DayRelation, datesNear, NEAR_DAYS, relationOf } from '#domain/reports/day-of-loss/near-days.ts'
import type { Loss } from '#domain/reports/day-of-loss/read-loss.ts'
import { ringsOf } from '#domain/reports/day-of-loss/rings.ts'
import type { DayOfLossView, DayView } from '#domain/reports/day-of-loss/view.ts'
import { warningsOnNearDays } from '#domain/reports/day-of-loss/warnings.ts'
import { arealSentences } from '#domain/reports/wording/areal-sentences.ts'
import { largestOfText } from '#domain/reports/wording/largest-of-hours.ts'
import { otherWeatherSentence } from '#domain/reports/wording/other-weather.ts'
import { channelWords, inches } from '#domain/reports/wording/phrases.ts'
import { sourceLimitsSentences } from '#domain/reports/wording/source-limits.ts'
import { usualOrder } from '#domain/reports/wording/statement.ts'
import { unplacedZonesClause } from '#domain/reports/wording/unplaced-zones.ts'
import { joinSentences, placeNote, type Viewpoint } from '#domain/reports/wording/viewpoint.ts'
import { evidenceKinds } from '#domain/weather/sources.ts'

/** Miles: the reach of the sentences, if the report reaches that far. */
const SENTENCE_MILES_MAX = 10
/** The most rival days named in the sentences; the table has the rest. */
const RIVALS_NAMED_MAX = 3

type LossCoverage = Pick<WindowCoverage, 'complete' | 'missing' | 'early' | 'sources' | 'provisional' | 'preliminary' | 'unplaced_zones'>

/** Composes the answer about the date of loss, with which the report starts. Pure. */
export function dayOfLoss(records: NearbyRecord[], days: DayView[], loss: Loss, coverage: LossCoverage, view: Viewpoint): DayOfLossView {
  return {
    date: loss.date,
    statement: statementOfDay(records, days, loss, coverage, view),
    rings: ringsOf(records, loss, view.window),
    warnings: warningsOnNearDays(loss, view.place.timezone),
  }
}

function statementOfDay(records: NearbyRecord[], days: DayView[], { date: loss }: Loss, coverage: LossCoverage, view: Viewpoint): string {
  if (loss > view.window.end) return joinSentences([`The date of loss, ${loss}, had not begun at this place ${momentOf(view)}.`], view)
  const related = (relation: DayRelation) => records.filter(({ occurred_on }) => relationOf(occurred_on, loss) === relation)
  const unplaced = unplacedZonesClause(coverage.unplaced_zones)
  const hasNoRecords = hazardsInReach(related('date_of_loss'), view).length === 0
  const unheld = daysUnheld(loss, coverage, view)
  const unheldText = unheldSentence(unheld)
  const sentences = [
    // Where nothing could be searched, the text must not first state that nothing was found.
    unheld.includes(loss) ? unheldText : null,
    // While zone records of wind are not placed, the text must not state that wind was absent.
    hasNoRecords && unplaced && `${unplaced}.`,
    lossDaySentence(related('date_of_loss'), loss, view),
    ...arealSentences(related('date_of_loss'), usualOrder).map((sentence) => `On that day: ${sentence}`),
    hasNoRecords ? limitsSentence(loss, coverage) : null,
    hasNoRecords ? earlySentence(loss, coverage) : null,
    warningsSentence(days, view),
    nearSentence(related('near'), loss, view),
    ...arealSentences(related('near'), usualOrder).map((sentence) => `On those days: ${sentence}`),
    otherWeatherSentence(inReach(related('date_of_loss'), view), loss, reachText(view), view),
    searchedSentence(loss, view),
    unheld.includes(loss) ? null : unheldText,
    rivalsSentence(records, days, view),
    incompleteSentence(coverage),
    provisionalSentence(records, coverage),
    !hasNoRecords && unplaced && `${unplaced}.`,
    placeNote(view.place),
  ]
  return joinSentences(
    sentences.filter((sentence) => typeof sentence === 'string'),
    view,
  )
}

/** A search cannot show that weather was absent which the sources never have of that day. */
const limitsSentence = (loss: string, { sources, provisional }: LossCoverage) =>
  sourceLimitsSentences({ start: loss, end: loss, sources: sources.map(({ source }) => source), provisional })

function earlySentence(loss: string, { early }: LossCoverage): string | null {
  const month = loss.slice(0, 7)
  if (early === null || month < early.from || month > early.to) return null
  return `The records of ${month} may lack whole offices: they were compiled on ${early.compiled_on}.`
}

const momentOf = ({ as_of }: Viewpoint) =>
  as_of ? `at ${as_of.toISOString()}, the moment that the report is as of` : 'when the archive was searched'

const reachOf = ({ window }: Viewpoint) => Math.min(SENTENCE_MILES_MAX, window.radius_miles)

const reachText = (view: Viewpoint) => `within ${formatNumber(reachOf(view))} mi of ${measuredFrom(view.place)}`

const inReach = (records: NearbyRecord[], view: Viewpoint) =>
  records.filter(({ distance_miles }) => distance_miles !== null && distance_miles <= reachOf(view))

/** Records of hail, wind and tornadoes only. */
const hazardsInReach = (records: NearbyRecord[], view: Viewpoint) => inReach(records, view).filter((record) => hazardOf(record) !== null)

function lossDaySentence(records: NearbyRecord[], loss: string, view: Viewpoint): string {
  const inside = hazardsInReach(records, view)
  const reach = reachText(view)
  // A record that names only the county may be of a place nearer than that.
  const pointed = records.some(({ distance_miles }) => distance_miles === null) ? ' that names a point' : ''
  if (inside.length === 0)
    return `On ${loss}, the date of loss, no record of hail, wind or tornado${pointed} was found ${reach}; absence of a record does not show that none occurred.`
  const found = `${pluralize(inside.length, 'record')} of hail, wind or tornado ${inside.length === 1 ? 'was' : 'were'} found ${reach}`
  return `On ${loss}, the date of loss, ${found}: ${figuresText(inside, view, '; ')}.`
}

/** Joins the figures of some records with the count of those with a caveat, which give none: "hail reported 1.75 in, 0.84 mi SW; 1 with a caveat". */
function figuresText(records: NearbyRecord[], view: Viewpoint, separator: string): string {
  const figures = figuresOf(records, view)
  const suspectCount = records.filter(isSuspect).length
  if (figures.length === 0) return suspectCount === 1 ? 'with a caveat' : 'each with a caveat'
  return [...figures, ...(suspectCount > 0 ? [`${suspectCount} with a caveat`] : [])].join(separator)
}

/** Returns the strongest of each hazard by each channel: "hail reported 1.75 in, 0.84 mi SW". */
function figuresOf(records: NearbyRecord[], view: Viewpoint): string[] {
  return hazards.flatMap((hazard) =>
    evidenceKinds.flatMap((channel) => {
      const strongest = strongestOf(
        hazard,
        records.filter(({ evidence_kind }) => evidence_kind === channel),
      )
      if (!strongest) return []
      const hours = largestOfText(strongest, view.place.timezone)
      return [`${figureOf(hazard, strongest)}, ${placeText(strongest, view.place)}${hours === null ? '' : ` (${hours})`}`]
    }),
  )
}

/** "hail reported 1.75 in", "wind measured 70 mph", "tornado reported EF1"; no figure if the record states none. */
function figureOf(hazard: Hazard, record: NearbyRecord): string {
  const value = strengths[hazard](record)
  const figure = {
    hail: () => (value === null ? null : `${inches(value)} in`),
    wind: () => (value === null ? null : `${formatNumber(value)} mph`),
    tornado: () => tornadoRating(record),
  }[hazard]()
  return [hazard, channelWords[record.evidence_kind], figure].filter(Boolean).join(' ')
}

function warningsSentence(days: DayView[], { place }: Viewpoint): string {
  const count = present(days.find(({ relation }) => relation === 'date_of_loss')).warnings
  const over = isPrecise(place) ? 'this location' : measuredFrom(place)
  // The archive has warnings from when the service began to follow them, or from imported files.
  if (count === 0) return `No official warning over ${over} is held for that day, which does not show that none was in force.`
  return `${pluralize(count, 'official warning')} ${count === 1 ? 'was' : 'were'} in force over ${over} that day.`
}

function nearSentence(records: NearbyRecord[], loss: string, view: Viewpoint): string | null {
  if (daysSearched(loss, view).length === 1) return null
  const inside = hazardsInReach(records, view)
  if (inside.length === 0) return 'No such record was found within two days of it.'
  const byDay = [...new Set(inside.map(({ occurred_on }) => occurred_on))].sort().map((date) => {
    const ofDay = inside.filter(({ occurred_on }) => occurred_on === date)
    return `on ${date} ${figuresText(ofDay, view, ', ')}`
  })
  return `Within two days of it: ${byDay.join('; ')}.`
}

/** Returns the date itself and the days near it, as far as they are in the window. */
function daysSearched(loss: string, { window: { start, end } }: Viewpoint): string[] {
  return datesNear(loss).filter((date) => date >= start && date <= end)
}

/** States which of the five days the window leaves out. */
function searchedSentence(loss: string, view: Viewpoint): string | null {
  const searched = daysSearched(loss, view)
  if (searched.length === 2 * NEAR_DAYS + 1) return null
  if (searched.length === 1) return 'The two days before it and the two after it lie outside the window, and were not searched.'
  return `Of the five days around it, ${searched[0]} to ${searched.at(-1)} lie in the window; the others were not searched.`
}

/** Returns the date itself and the days near it of which the archive has no records that count, neither final nor preliminary. */
function daysUnheld(loss: string, { missing }: LossCoverage, view: Viewpoint): string[] {
  const isMissing = (month: string) => missing.some(({ from, to }) => month >= from && month <= to)
  return daysSearched(loss, view).filter((date) => isMissing(date.slice(0, 7)))
}

function unheldSentence(days: string[]): string | null {
  if (days.length === 0) return null
  const span = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`
  return `For ${span} the archive has no reports or measurements that could be searched.`
}

function incompleteSentence({ complete, sources }: LossCoverage): string | null {
  if (complete) return null
  const extent = sources.length === 0 ? 'No source was searched for the window' : 'Not all of the window is held'
  return `${extent}: the coverage of the report says what is missing.`
}

function rivalsSentence(records: NearbyRecord[], days: DayView[], view: Viewpoint): string | null {
  const rivals = days.filter(({ relation }) => relation === 'other')
  if (rivals.length === 0) return null
  const named = rivals.slice(0, RIVALS_NAMED_MAX).map(({ date }) => {
    const inside = hazardsInReach(
      records.filter(({ occurred_on }) => occurred_on === date),
      view,
    )
    return `${date} (${figuresOf(inside, view).join(', ')})`
  })
  const rest = rivals.length - named.length
  // There may be more days than are listed: those that stand out most are listed.
  const listed =
    rivals.length === RIVALS_MAX ? `The ${RIVALS_MAX} other days that stand out most` : 'Other days of the window that stand out'
  return `${listed}, newest first: ${joinList(rest > 0 ? [...named, `${rest} more`] : named)}.`
}

/** States that a part is not final; that it rests on preliminary records only if the archive has some. */
function provisionalSentence(records: NearbyRecord[], { provisional, preliminary }: LossCoverage): string | null {
  if (!provisional) return null
  const rests = preliminary !== null || records.some((record) => record.preliminary && !isRadar(record))
  return rests ? 'Part of the window rests on preliminary records.' : 'Final records do not reach the end of the window.'
}
