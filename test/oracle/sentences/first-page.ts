import type { CitedRecordView } from '#domain/reports/view.ts'
import {
  centreOf,
  earlierDays,
  isPlaced,
  isPrecise,
  isSeen,
  isSound,
  magnitudeOf,
  type StatedReport,
  unless,
  unsupported,
} from './claims.ts'
import { type Claim, nameOf, typeNamed } from './grammar.ts'
import { claimOf, figureFaults, missingFigures, placeOf } from './key-figures.ts'
import { need, paragraphs, rowsOf, textOf } from './markup.ts'

/** Checks that the cover names the starting point of distances if it is not the building. */
export function coverFaults({ report }: StatedReport, html: string): string[] {
  const located = need(/<dt>Located<\/dt><dd>([\s\S]*?)<\/dd>/, html)[1] as string
  const stated = `distances are from ${centreOf(report)}, not from the building`
  return unless(textOf(located).includes(stated) !== isPrecise(report), `its place is "${textOf(located)}"`)
}

export function questionFaults(stated: StatedReport, html: string): string[] {
  const [, event, size, earlier] = need(
    /<h3>Was there an event\?<\/h3>([\s\S]*)<h3>What size\?<\/h3>([\s\S]*)<h3>Were there earlier ones\?<\/h3>([\s\S]*)/,
    html,
  )
  return [
    ...eventFaults(stated, paragraphs(event as string)),
    ...sizeFaults(stated, size as string),
    ...earlierDayFaults(stated, textOf(earlier as string)),
  ]
}

function eventFaults({ report, records }: StatedReport, [headline = '', counts = '']: string[]): string[] {
  const same = unless(headline === `${report.headline}.`, `it begins with "${headline}"`)
  if (records.length === 0) return [...same, ...unless(counts === report.nothing_found, `it says "${counts}"`)]
  const [, within, radius, areal, newest, rest] = need(
    /^(?:(\d+) records? cited within ([\d.]+) mi)?(?:; )?(?:(\d+) records? cited that names? a county or a forecast zone, not a point)?; the newest is of (\d{4}-\d{2}-\d{2})\. (.*)$/,
    counts,
  )
  const placed = records.filter(isPlaced)
  const observed = placed.filter((record) => isSeen(record) && isSound(record))
  const days = records.map(({ occurred_on }) => occurred_on).sort()
  const observedClause = caveatClause(placed.filter(isSeen))
  return [
    ...same,
    ...unless(Number(within ?? 0) === placed.length, `${within} records are within, not ${placed.length}`),
    ...unless(Number(areal ?? 0) === records.length - placed.length, `${areal} records name an area`),
    ...unless(radius === undefined || Number(radius) === report.window.radius_miles, `within ${radius} mi`),
    ...unless(newest === days.at(-1), `the newest is of ${newest}`),
    ...(observed.length === 0
      ? unless(rest === `None${observedClause} that was reported or measured names a point.`, `"${rest}"`)
      : nearestFaults(rest as string, observedClause, observed, report)),
  ]
}

/** A record with a caveat gives no figure: if there is one, a denial is about the others. */
const caveatClause = (records: CitedRecordView[]) => (records.every(isSound) ? '' : ' without a caveat')

/** A county record that states a value gives no figure beside records with a place: a denial is then about those. */
const pointClause = (records: CitedRecordView[]) =>
  records.some((record) => isSound(record) && !isPlaced(record) && magnitudeOf(record) !== null) ? ' that names a point' : ''

function nearestFaults(text: string, clause: string, observed: CitedRecordView[], report: StatedReport['report']): string[] {
  const [, without, type, where, date] = need(
    /^The nearest( without a caveat)? that was reported or measured is (.*?) at (.*) on (\d{4}-\d{2}-\d{2})\.$/,
    text,
  )
  const claim: Claim = { figure: null, place: placeOf(where as string), date: date as string }
  const nearest = Math.min(...observed.map(({ relevance }) => relevance.distance_miles as number))
  const of = observed.filter((record) => record.type === typeNamed(type as string) && record.relevance.distance_miles === nearest)
  return [
    ...unless((without ?? '') === clause, `it is called the nearest${without ?? ''}`),
    ...unsupported('the nearest', claim, of, report),
  ]
}

function sizeFaults(stated: StatedReport, html: string): string[] {
  const rows = rowsOf(html)
  const sentences = paragraphs(html)
  const suspectCount = stated.records.filter((record) => !isSound(record)).length
  const left_out =
    suspectCount === 1 ? '1 record with a caveat gives no figure here.' : `${suspectCount} records with a caveat give no figure here.`
  const expected = [
    ...(rows.length === 0
      ? [`No cited record${caveatClause(stated.records)}${pointClause(stated.records)} states a size, a speed or a strength.`]
      : []),
    ...(suspectCount > 0 ? [left_out] : []),
  ]
  return [
    ...unless(sentences.join(' ') === expected.join(' '), `beside the sizes it says "${sentences.join(' ')}"`),
    ...rows.flatMap(([label, measure, where, date]) => {
      const [, value, detail] = need(/^(.*?)(?: \((.*)\))?$/, measure as string)
      return figureFaults(stated, label as string, claimOf(value as string, detail, where as string, date as string))
    }),
    ...missingFigures(
      stated,
      rows.map(([label]) => label as string),
    ),
  ]
}

function earlierDayFaults(stated: StatedReport, text: string): string[] {
  const { report, records } = stated
  const days = earlierDays(stated)
  const [earlier, before] = report.date_of_loss ? ['', ' before the date of loss'] : ['earlier ', '']
  if (days.length === 0) return unless(text.startsWith(`No ${earlier}day${before} with a record within the window.`), `"${text}"`)
  const [, count, list] = need(new RegExp(`^(\\d+) ${earlier}days?${before} with records: (.*)\\.$`), text)
  const [, named, more] = need(/^(.*?)(?:; and (\d+) more, among the cited records)?$/, list as string)
  const listed = (named as string).split('; ').map((day) => need(/^(\d{4}-\d{2}-\d{2}) \((.*)\)$/, day))
  return [
    ...unless(Number(count) === days.length, `${count} earlier days are ${days.length}`),
    ...unless(listed.length + Number(more ?? 0) === days.length, `${listed.length} and ${more} days are reported`),
    ...listed.flatMap(([, day, types], at) => [
      ...unless(day === days[at], `${day} is reported in the place of ${days[at]}`),
      ...unless(
        (types as string).split(', ').sort().join() ===
          [...new Set(records.filter(({ occurred_on }) => occurred_on === day).map(nameOnPage))].sort().join(),
        `of ${day} it names ${types}`,
      ),
    ]),
  ]
}

const nameOnPage = (record: CitedRecordView) => `${nameOf(record.type)}${isSeen(record) ? '' : ' (radar)'}`
