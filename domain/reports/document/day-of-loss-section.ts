import { measuredFrom, milesText } from '#domain/evidence/distance-text.ts'
import { isPrecise } from '#domain/places/place.ts'
import type { DayRelation } from '#domain/reports/day-of-loss/near-days.ts'
import type { DayOfLossView, DayView, DayWarningView, StrongestView } from '#domain/reports/day-of-loss/view.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { miles, periodText } from '#domain/reports/document/format.ts'
import { type Html, html, prose, raw } from '#domain/reports/document/html.ts'
import { channelWords } from '#domain/reports/wording/phrases.ts'

/** The most warnings printed on page one; the warnings section has all of them. */
const WARNINGS_MAX = 8

/** Page one's answer if a date of loss was named: the date, by distance and by channel, and the days that rival it. */
export function dayOfLossSection(facts: DocumentFacts, loss: DayOfLossView): Html {
  const { report } = facts
  const days = report.days ?? []
  return html`<section class="answers"><h2>The date of loss: ${loss.date}</h2>
      <p>${prose(loss.statement)}</p>
      <h3>Recorded on that day and within two days of it, by distance</h3>${ringsTable(loss, isPrecise(report.address))}
      ${loss.warnings.length === 0 ? null : html`<h3>Official warnings over ${measuredFrom(report.address)}</h3>${warningLines(loss.warnings, facts)}`}
      <h3>The day and its rivals in the window</h3>${picture(days, report.window)}${daysTable(days, isPrecise(report.address))}
      <p class="fine">A record counts for the local day of its own place. Figures are the strongest of each day within ${miles(report.window.radius_miles)}
        without a caveat; radar sizes are estimates of hail aloft. Absence of a record does not show that none occurred.</p>
    </section>`
}

const relationNames: Record<DayRelation, string> = { date_of_loss: ', date of loss', near: ', within two days', other: '' }

function ringsTable({ rings }: DayOfLossView, precise: boolean): Html {
  return html`<table class="days"><thead><tr>${['Within', 'On the day', 'Near it', 'The strongest of each kind'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rings.map(
      ({ radius_miles, records, near_records, strongest }) =>
        html`<tr><th scope="row">${miles(radius_miles)}</th><td>${records}</td><td>${near_records}</td><td>${
          strongest.length === 0
            ? noneText(records + near_records)
            : strongest.map((record, at) => html`${at === 0 ? '' : '; '}${prose(strongestText(record, precise))}`)
        }</td></tr>`,
    )}</tbody></table>`
}

/** A record of other weather or with a caveat is counted, but gives no figure. */
const noneText = (counted: number) => (counted === 0 ? 'none recorded' : 'no hail, wind or tornado without a caveat')

/** "hail reported 1.75 in, 0.84 mi SW on 2025-05-28" */
function strongestText(record: StrongestView, precise: boolean): string {
  const { hazard, channel, hail_size_in, wind_mph, tornado_rating, distance_miles, bearing, occurred_on } = record
  const figure =
    hail_size_in === null ? (tornado_rating ?? (wind_mph === null ? null : `${wind_mph} mph`)) : `${hail_size_in.toFixed(2)} in`
  const what = [hazard, channelWords[channel], figure].filter(Boolean).join(' ')
  return `${what}, ${[milesText(distance_miles, precise), bearing].filter(Boolean).join(' ')} on ${occurred_on}`
}

function warningLines(warnings: DayWarningView[], facts: DocumentFacts): Html {
  const lines = warnings.slice(0, WARNINGS_MAX).map(({ event, office_name, from, until }) => {
    return html`<li>${event}, ${office_name}: ${prose(periodText({ from: new Date(from), until: new Date(until) }, facts))}</li>`
  })
  const more = warnings.length - lines.length
  return html`<ul>${lines}${more > 0 ? html`<li>And ${more} more.</li>` : null}</ul>`
}

const WIDTH = 680
const BASE = 66
const BAR_MAX_HEIGHT = 44
/** Inches of hail that a bar of full height represents. */
const FULL_HAIL_IN = 3
/** Pixels: two labels that are closer would touch. */
const LABEL_WIDTH = 62

/** Draws the days along the window, with the date of loss marked. Solid bars are reported hail, hollow bars radar estimates. */
function picture(days: DayView[], { start, end }: { start: string; end: string }): Html {
  const [first, last] = [Date.parse(start), Date.parse(end)]
  const at = (date: string) => 30 + ((Date.parse(date) - first) / Math.max(1, last - first)) * (WIDTH - 60)
  const labelled: number[] = []
  const ranked = days.toSorted((a, b) => Number(b.relation === 'date_of_loss') - Number(a.relation === 'date_of_loss'))
  const marks = ranked.map(({ date, hail, wind, tornado, relation }) => {
    const x = at(date)
    const colour = relation === 'date_of_loss' ? '#a3182b' : '#0f6e79'
    const bar = (inches: number, fill: string, width: number) => {
      const height = Math.min(1, inches / FULL_HAIL_IN) * BAR_MAX_HEIGHT
      return `<rect x="${(x - width / 2).toFixed(1)}" y="${(BASE - height).toFixed(1)}" width="${width}" height="${height.toFixed(1)}" fill="${fill}" stroke="${colour}"/>`
    }
    const radar = hail.radar_in === null ? '' : bar(hail.radar_in, 'none', 12)
    const ground = hail.ground_in === null ? '' : bar(hail.ground_in, colour, 6)
    const other =
      wind.nearest_miles === null && tornado.nearest_miles === null && !isUnsized(hail)
        ? ''
        : `<circle cx="${x.toFixed(1)}" cy="${BASE}" r="4" fill="#fff" stroke="${colour}" stroke-width="1.5"/>`
    const mark = relation === 'date_of_loss' ? `<path d="M${x.toFixed(1)} ${BASE + 3} l-5 8 h10 z" fill="${colour}"/>` : ''
    const free = labelled.every((taken) => Math.abs(taken - x) >= LABEL_WIDTH)
    if (free) labelled.push(x)
    const label = free ? `<text x="${x.toFixed(1)}" y="${BASE + 23}" text-anchor="middle" class="small">${date}</text>` : ''
    return `${radar}${ground}${other}${mark}${label}`
  })
  const drawing = `<svg viewBox="0 0 ${WIDTH} 94" role="img" aria-label="The date of loss and the days that stand out, over the window" class="chart"><path d="M0 ${BASE} H${WIDTH}" stroke="#6b7280"/>${marks.join('')}</svg>`
  return html`<figure>${raw(drawing)}<figcaption>${prose(`${start} to ${end}`)}. Filled: hail reported; hollow: estimated by radar; circles: wind, tornado or hail without a size; red: the date of loss.</figcaption></figure>`
}

/** Whether hail was reported without a size. */
const isUnsized = ({ ground_in, nearest_miles }: DayView['hail']) => ground_in === null && nearest_miles !== null

function daysTable(days: DayView[], precise: boolean): Html {
  const heads = ['Day', 'Hail reported', 'Radar estimate', 'Wind', 'Tornado', 'Nearest', 'Warnings', 'Records']
  return html`<table class="days"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${days.map((day) => dayRow(day, precise))}</tbody></table>`
}

function dayRow({ date, hail, wind, tornado, warnings, records, relation }: DayView, precise: boolean): Html {
  const inches = (value: number | null) => (value === null ? '–' : `${value.toFixed(2)} in`)
  // Hail or wind that was observed without a figure was observed all the same.
  const reported = isUnsized(hail) ? 'size not stated' : inches(hail.ground_in)
  const noSpeedText = wind.nearest_miles === null ? '–' : 'speed not stated'
  const gusts = [
    ...(wind.instrument_mph === null ? [] : [`${wind.instrument_mph} mph measured`]),
    ...(wind.ground_mph === null ? [] : [`${wind.ground_mph} mph reported`]),
  ]
  const near = [hail, wind, tornado].flatMap(({ nearest_miles }) => nearest_miles ?? [])
  return html`<tr><th scope="row">${prose(date)}${relationNames[relation]}</th><td>${reported}</td><td>${inches(hail.radar_in)}</td><td>${gusts.join('; ') || noSpeedText}</td>
    <td>${tornado.nearest_miles === null ? '–' : (tornado.rating ?? 'unrated')}</td><td class="whole">${near.length === 0 ? '–' : milesText(Math.min(...near), precise)}</td><td>${warnings}</td><td>${records}</td></tr>`
}
