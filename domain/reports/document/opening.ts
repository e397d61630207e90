import { toString as qrSvg } from 'qrcode'
import { imageType } from '#domain/plans/letterhead.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { capital, measureOf, miles, placeOf, plural, timesOf, typeName, whereOf } from '#domain/reports/document/format.ts'
import { type Html, html, prose, raw } from '#domain/reports/document/html.ts'
import { phenomenonOf } from '#domain/reports/document/phenomena.ts'
import type { CompleteReport } from '#domain/reports/verification.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** Storm days named on page one; the cited records hold all. */
const EARLIER_DAYS_MAX = 12

/** Page one: what the document is about, and the three questions that it is read for, in the order in which they are asked. */
export async function openingPage(facts: DocumentFacts): Promise<Html> {
  const { report, verification, team } = facts
  const code = await qrSvg(verification.verify_url, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' })
  const standing = facts.sample ? 'SAMPLE' : verification.authoritative ? 'FINAL' : 'PROVISIONAL'
  const logo = team.brand_logo
    ? html`<img class="logo" alt="" src="data:${imageType(team.brand_logo)};base64,${team.brand_logo.toString('base64')}">`
    : null
  return html`<header class="cover">
      <div>
        ${logo}${team.brand_name ? html`<p class="brand">${team.brand_name}</p>` : null}
        <p class="kind">Weather report</p>
        <h1>${placeOf(report.address)}</h1>
        <p class="window">${report.window.start} to ${report.window.end}, within ${miles(report.window.radius_miles)}${report.window.narrowed_by_plan ? ' (narrowed by the plan)' : ''}</p>
        <p><span class="stamp ${standing.toLowerCase()}">${standing}</span></p>
        <dl class="meta">
          ${pair('Recipient', report.recipient)}${pair('Reference', report.reference)}
          ${pair('Address as sent', report.address.query)}${pair('County', report.address.county)}
          ${pair('Located', `${report.address.latitude?.toFixed(5)}, ${report.address.longitude?.toFixed(5)}: ${precisionOf(report.address)}`)}
          ${pair('Generated', `${timesOf(report.generated_at, facts.timezone).local}; ${timesOf(report.generated_at, facts.timezone).utc}`)}
        </dl>
      </div>
      <div class="code">${raw(code)}<p class="fine">${verification.short_fingerprint}</p></div>
    </header>
    <section class="answers"><h2>Three questions</h2>
      <h3>Was there an event?</h3>${wasThereAnEvent(facts)}
      <h3>What size?</h3>${whatSize(facts)}
      <h3>Were there earlier ones?</h3>${wereThereEarlier(facts)}
    </section>`
}

const pair = (label: string, value: string | null) => (value ? html`<div><dt>${label}</dt><dd>${value}</dd></div>` : null)

/** How near the located point is to the building. */
function precisionOf({ precision, postal_code, city, state }: CompleteReport['address']): string {
  if (precision === 'point') return 'the address point'
  if (precision === 'range') return 'along its street'
  return `the centre of ${precision === 'zip' ? `ZIP ${postal_code}` : [city, state].filter(Boolean).join(', ')}, not the building`
}

/** What people and instruments saw is told apart from what radar estimated: only the former has a nearest place. */
function wasThereAnEvent({ report, records }: DocumentFacts): Html {
  const [newest] = records
  if (!newest) return html`<p>${prose(report.headline)}</p>`
  const [nearest] = records
    .filter(({ relevance, provenance }) => relevance.distance_miles !== null && provenance.is_observed)
    .sort((a, b) => (a.relevance.distance_miles as number) - (b.relevance.distance_miles as number))
  return html`<p>${plural(records.length, 'record')} cited within ${miles(report.window.radius_miles)} in this window; the newest is of ${prose(newest.occurred_on)}.
    ${prose(nearest ? `The nearest that was reported or measured is ${typeName(nearest.type)} at ${whereOf(nearest)} on ${nearest.occurred_on}.` : 'None that was reported or measured names a point.')}</p>
    <p>${prose(report.headline)}</p>`
}

/** The largest of each kind of value, each with how it came about. */
function whatSize({ records }: DocumentFacts): Html {
  const largest = [
    ['Hail reported', best(records, ({ measurements }, phenomenon) => (phenomenon === 'hail' ? measurements.hail_size_in : null))],
    [
      'Hail estimated by radar',
      best(records, ({ measurements }, phenomenon) => (phenomenon === 'radar_hail' ? measurements.hail_size_in : null)),
    ],
    ['Wind', best(records, ({ measurements }) => measurements.wind_gust_mph ?? measurements.wind_speed_mph)],
    ['Tornado', best(records, ({ measurements }) => measurements.tornado_ef_scale)],
  ] as const
  const held = largest.filter(([, record]) => record !== null)
  if (held.length === 0) return html`<p>No cited record states a size, a speed or a rating.</p>`
  return html`<table class="plain"><tbody>${held.map(([label, record]) => {
    const one = record as CitedRecordView
    return html`<tr><th scope="row">${label}</th><td>${measureOf(one)}</td><td>${whereOf(one)}</td><td class="whole">${one.occurred_on}</td></tr>`
  })}</tbody></table>`
}

function best(records: CitedRecordView[], value: (record: CitedRecordView, phenomenon: string) => number | null): CitedRecordView | null {
  return records.reduce<CitedRecordView | null>((found, record) => {
    const next = value(record, phenomenonOf(record))
    return next !== null && (found === null || next > (value(found, phenomenonOf(found)) as number)) ? record : found
  }, null)
}

function wereThereEarlier({ records }: DocumentFacts): Html {
  const days = [...new Set(records.map(({ occurred_on }) => occurred_on))]
  const earlier = days.slice(1)
  if (earlier.length === 0)
    return html`<p>No earlier day with a record within the window. Absence of a record does not show that none occurred.</p>`
  const lines = earlier.slice(0, EARLIER_DAYS_MAX).map((day) => {
    const types = [...new Set(records.filter(({ occurred_on }) => occurred_on === day).map(({ type }) => typeName(type)))]
    return `${day} (${types.join(', ')})`
  })
  const more = earlier.length - lines.length
  return html`<p>${capital(plural(earlier.length, 'earlier day'))} with records: ${prose(lines.join('; '))}${more > 0 ? `; and ${more} more, among the cited records` : ''}.</p>`
}
