import { toString as qrSvg } from 'qrcode'
import { centreOf } from '#domain/evidence/distance-text.ts'
import { present } from '#domain/kernel/present.ts'
import { capitalize, pluralize } from '#domain/kernel/text.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { isPrecise } from '#domain/places/place.ts'
import { addressOfImage } from '#domain/plans/letterhead.ts'
import { dayOfLossSection } from '#domain/reports/document/day-of-loss-section.ts'
import { earlierDays } from '#domain/reports/document/earlier-days.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { isTrusted, largestFigures } from '#domain/reports/document/figures.ts'
import { measurementText, miles, timesOf, whereOf } from '#domain/reports/document/format.ts'
import { type Html, html, prose, raw } from '#domain/reports/document/html.ts'
import { stampOf } from '#domain/reports/stamp.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'
import { unplacedZonesClause } from '#domain/reports/wording/unplaced-zones.ts'

/** The most storm days named on page one; the cited records have all of them. */
const EARLIER_DAYS_MAX = 12

/** Page one: the subject of the document, the date of loss if one was named, then the three questions that readers have. */
export async function openingPage(facts: DocumentFacts): Promise<Html> {
  const { report, verification, team } = facts
  const code = await qrSvg(verification.verify_url, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' })
  const stamp = stampOf(report.coverage)
  const logo = team.brand_logo ? html`<img class="logo" alt="" src="${addressOfImage(team.brand_logo)}">` : null
  return html`<header class="cover">
      <div>
        ${logo}${team.brand_name ? html`<p class="brand">${team.brand_name}</p>` : null}
        <p class="kind">Weather report</p>
        <h1>${addressLine(report.address)}</h1>
        <p class="window">${report.window.start} to ${report.window.end}, within ${miles(report.window.radius_miles)}${report.window.narrowed_by_plan ? ' (narrowed by the plan)' : ''}</p>
        <p><span class="stamp ${stamp.toLowerCase()}">${stamp}</span></p>
        <dl class="meta">
          ${pair('Recipient', report.recipient)}${pair('Reference', report.reference)}
          ${pair('Address as sent', report.address.query)}${pair('County', report.address.county)}
          ${pair('Located', `${report.address.latitude?.toFixed(5)}, ${report.address.longitude?.toFixed(5)}: ${precisionOf(facts)}`)}
          ${pair('Generated', `${timesOf(report.generated_at, facts.timezone).local}; ${timesOf(report.generated_at, facts.timezone).utc}`)}
        </dl>
      </div>
      <div class="code">${raw(code)}<p class="fine">${verification.short_fingerprint}</p></div>
    </header>
    ${notPlaced(facts)}
    ${report.day_of_loss ? dayOfLossSection(facts, report.day_of_loss) : null}
    ${threeQuestions(facts, report.day_of_loss !== null)}`
}

/** @param apart whether the section is kept whole on one page, after page one's answer about a date of loss */
function threeQuestions(facts: DocumentFacts, apart: boolean): Html {
  return html`<section class="${apart ? 'answers apart' : 'answers'}"><h2>Three questions</h2>
      <h3>Was there an event?</h3>${wasThereAnEvent(facts)}
      <h3>What size?</h3>${whatSize(facts)}
      <h3>Were there earlier ones?</h3>${wereThereEarlier(facts)}
    </section>`
}

const pair = (label: string, value: string | null) => (value ? html`<div><dt>${label}</dt><dd>${value}</dd></div>` : null)

/** "hail", "hail (radar)": a day on which only radar saw hail has no report of it. */
const nameInList = ({ type, provenance }: CitedRecordView) => `${typeName(type)}${provenance.is_observed ? '' : ' (radar)'}`

/** States how near the located point is to the building. */
function precisionOf({ report: { address }, coordinates_sent }: DocumentFacts): string {
  if (coordinates_sent) return 'the coordinates as sent'
  if (!isPrecise(address)) return `distances are from ${centreOf(address)}, not from the building`
  return address.precision === 'point' ? 'the address point' : 'along its street'
}

/** Records that may concern this very place come before any answer: they were not searched. */
function notPlaced({ unplaced_zones }: DocumentFacts): Html | null {
  const clause = unplacedZonesClause(unplaced_zones)
  return clause === null ? null : html`<p class="unplaced">${prose(`${clause}.`)}</p>`
}

/** Observations by people and instruments are kept apart from radar estimates: only observations have a nearest place. */
function wasThereAnEvent({ report, records }: DocumentFacts): Html {
  const [newest] = records
  if (!newest) return html`<p>${prose(report.headline)}.</p><p>${prose(report.nothing_found ?? '')}</p>`
  const placed = records.filter(({ relevance }) => relevance.distance_miles !== null)
  const observed = placed.filter(({ provenance }) => provenance.is_observed)
  const [nearest] = observed.filter(isTrusted).sort((a, b) => present(a.relevance.distance_miles) - present(b.relevance.distance_miles))
  const areal = records.length - placed.length
  const caveatNote = observed.every(isTrusted) ? '' : ' without a caveat'
  const counts = [
    ...(placed.length > 0 || areal === 0
      ? [`${pluralize(placed.length, 'record')} cited within ${miles(report.window.radius_miles)}`]
      : []),
    ...(areal > 0
      ? [`${pluralize(areal, 'record')} cited that ${areal === 1 ? 'names' : 'name'} a county or a forecast zone, not a point`]
      : []),
  ]
  const near = nearest && `${typeName(nearest.type)} at ${whereOf(nearest, isPrecise(report.address))} on ${nearest.occurred_on}`
  return html`<p>${prose(report.headline)}.</p>
    <p>${counts.join('; ')}; the newest is of ${prose(newest.occurred_on)}.
    ${prose(near ? `The nearest${caveatNote} that was reported or measured is ${near}.` : `None${caveatNote} that was reported or measured names a point.`)}</p>`
}

/** Prints the largest of each kind of value, and how each was obtained. */
function whatSize({ report, records }: DocumentFacts): Html {
  const figures = largestFigures(records)
  const suspectCount = records.filter((record) => !isTrusted(record)).length
  const caveatNote = suspectCount === 0 ? '' : ' without a caveat'
  const omittedNote =
    suspectCount > 0
      ? html`<p>${pluralize(suspectCount, 'record')} with a caveat ${suspectCount === 1 ? 'gives' : 'give'} no figure here.</p>`
      : null
  if (figures.length === 0)
    return html`<p>No cited record${caveatNote}${records.some(isArealValue) ? ' that names a point' : ''} states a size, a speed or a strength.</p>${omittedNote}`
  return html`<table class="plain"><tbody>${figures.map(
    ({ label, record }) =>
      html`<tr><th scope="row">${label}</th><td>${measurementText(record)}</td><td>${whereOf(record, isPrecise(report.address))}</td><td class="whole">${record.occurred_on}</td></tr>`,
  )}</tbody></table>${omittedNote}`
}

/** Whether a record that names a county or a zone states a value. Beside records with a place it gives no figure. */
const isArealValue = (record: CitedRecordView) =>
  record.relevance.distance_miles === null && isTrusted(record) && Object.values(record.measurements).some((value) => value !== null)

/** Asked of a date of loss, if one was named: days after it are not earlier, however many came later still. */
function wereThereEarlier(facts: DocumentFacts): Html {
  const { report, records } = facts
  const earlier = earlierDays(facts)
  const [one, before] = report.date_of_loss === null ? ['earlier day', ''] : ['day', ' before the date of loss']
  if (earlier.length === 0)
    return html`<p>No ${one}${before} with a record within the window. Absence of a record does not show that none occurred.</p>`
  const lines = earlier.slice(0, EARLIER_DAYS_MAX).map((day) => {
    const types = [...new Set(records.filter(({ occurred_on }) => occurred_on === day).map(nameInList))]
    return `${day} (${types.join(', ')})`
  })
  const more = earlier.length - lines.length
  return html`<p>${capitalize(pluralize(earlier.length, one))}${before} with records: ${prose(lines.join('; '))}${more > 0 ? `; and ${more} more, among the cited records` : ''}.</p>`
}
