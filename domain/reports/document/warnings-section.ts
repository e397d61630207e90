import { threatTexts } from '#domain/archive/warnings/threat-texts.ts'
import { measuredFrom } from '#domain/evidence/distance-text.ts'
import { localTime } from '#domain/geo/local-time.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { periodText } from '#domain/reports/document/format.ts'
import { type Html, html, prose } from '#domain/reports/document/html.ts'
import type { WarningOver, WarningOverMessage } from '#domain/reports/warnings-over.ts'

/** The most warnings printed, the newest first; a place has some thirty a year. */
const PRINTED_MAX = 200

/** Shown for orientation: a warning is a forecast, and never counts as evidence. */
export function warningsSection(facts: DocumentFacts): Html {
  const { report, warnings } = facts
  const where = measuredFrom(report.address)
  if (warnings === null)
    return html`<section><h2>Official warnings over ${where}</h2>
      <p>This document was printed again, and the archive no longer keeps what it knew of warnings when the report was made: none can be shown, whether or not one was in force.</p></section>`
  const remaining = warnings.length - PRINTED_MAX
  return html`<section><h2>Official warnings over ${where}</h2>
    ${warnings.length === 0 ? html`<p>No warning held in the archive was in force over ${where} in this window, which does not show that none was.</p>` : null}
    ${warnings.slice(0, PRINTED_MAX).map((warning) => warningOf(warning, facts))}
    ${remaining > 0 ? html`<p>And ${remaining} earlier.</p>` : null}
    <p class="fine">Times are those in which the area of a message was over ${where}. Warnings are forecasts of what may happen: they are not
      counted and make no finding.</p></section>`
}

function warningOf({ event, office_name, periods, messages, citation_url }: WarningOver, facts: DocumentFacts): Html {
  return html`<article class="finding">
    <p class="line"><b>${event}</b>, ${office_name}: ${periods.map((period) => periodText(period, facts)).join('; ')}</p>
    ${messages.map((message) => messageOf(message, facts))}
    <p class="fine url">${citation_url}</p>
  </article>`
}

function messageOf(message: WarningOverMessage, facts: DocumentFacts): Html {
  const { sent_at, open_ended, threats, area, area_name, citation_url } = message
  const tags = threatTexts(threats).join(', ')
  const named = 'codes' in area ? `no polygon: it names ${area_name ?? 'its counties'}` : ''
  const end = open_ended ? 'it states no end, and counts until it expires or a later message follows' : ''
  const details = [end, tags && `its tags: ${tags}`, named].filter(Boolean).join('; ')
  return html`<p class="fine">Message of ${localTime(sent_at, facts.timezone)}, in force ${periodText(message, facts)}${details ? html`; ${prose(details)}` : ''}.</p>
    <p class="fine url">${citation_url}</p>`
}
