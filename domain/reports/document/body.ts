import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { capital, measureOf, miles, plural, timesOf, typeName, whereOf } from '#domain/reports/document/format.ts'
import { type Html, html, prose } from '#domain/reports/document/html.ts'

/** Always printed before the findings: what was looked at, and what the record cannot say. */
export function coverageSection({ report, vintages }: DocumentFacts): Html {
  return html`<section><h2>Coverage and limits</h2>
    <p>${prose(report.coverage.summary ?? '')}</p>
    <p>${report.coverage.complete ? 'What is needed for this window was held.' : 'Part of what is needed for this window is not held: see above.'}
      Absence of a record does not show that none occurred.</p>
    <table><thead><tr><th scope="col">Source searched</th><th scope="col">Compiled</th></tr></thead>
      <tbody>${vintages.map(({ label, compiled_on }) => html`<tr><td>${label}</td><td>${compiled_on ?? 'as it came in'}</td></tr>`)}</tbody></table>
  </section>`
}

export function keyFigures({ report, records }: DocumentFacts): Html {
  const peak = (value: (finding: NonNullable<typeof report.findings>[number]) => number | null) =>
    (report.findings ?? [])
      .map(value)
      .reduce<number | null>((top, next) => (next !== null && (top === null || next > top) ? next : top), null)
  const hail = peak(({ peak_hail_in }) => peak_hail_in)
  const wind = peak(({ peak_wind_mph }) => peak_wind_mph)
  const tornado = peak(({ peak_tornado_ef }) => peak_tornado_ef)
  const figures: [string, string][] = [
    ['Records cited', String(report.event_count)],
    ['Days with records', String(new Set(records.map(({ occurred_on }) => occurred_on)).size)],
    ['Station observations used', String(report.observation_count)],
    ...(hail === null ? [] : [['Largest hail', `${hail.toFixed(2)} in`] as [string, string]]),
    ...(wind === null ? [] : [['Strongest wind', `${wind} mph`] as [string, string]]),
    ...(tornado === null ? [] : [['Strongest tornado', `EF${tornado}`] as [string, string]]),
  ]
  return html`<section class="keep"><h2>Key figures</h2><dl class="figures">${figures.map(([label, value]) => html`<div><dd>${value}</dd><dt>${label}</dt></div>`)}</dl></section>`
}

export function findingsSection({ report }: DocumentFacts): Html {
  const findings = report.findings ?? []
  return html`<section><h2>Findings</h2>
    ${findings.length === 0 ? html`<p>${prose(report.headline)}</p>` : null}
    ${findings.map(
      (finding) => html`<article class="finding">
        <h3>${finding.family_label}</h3>
        <p>${prose(finding.statement)}</p>
        <p class="fine">${finding.confidence_label}. ${plural(finding.event_count, 'record')}; most recent ${finding.most_recent};
          severity up to ${finding.peak_severity}; evidence: ${finding.evidence_labels.join(', ')}${finding.nearest_miles === null ? '' : `; nearest ${miles(finding.nearest_miles)}`}${[
            finding.peak_hail_in === null ? '' : `; hail up to ${finding.peak_hail_in.toFixed(2)} in`,
            finding.peak_wind_mph === null ? '' : `; wind up to ${finding.peak_wind_mph} mph`,
            finding.peak_tornado_ef === null ? '' : `; tornado up to EF${finding.peak_tornado_ef}`,
          ].join('')}. Days: ${prose(finding.dates.join(', '))}.</p>
      </article>`,
    )}
  </section>`
}

/** Every cited record whole on one page, with its number, its times and where it can be looked up. */
export function recordsSection({ report, records, timezone }: DocumentFacts): Html {
  const badges = report.layout.elements.includes('evidence_badges')
  return html`<section><h2>Cited records</h2>
    ${records.length === 0 ? html`<p>None.</p>` : null}
    ${records.map((record, index) => {
      const { local, utc } = timesOf(record.begins_at, timezone)
      return html`<article class="record">
        <p class="line"><b class="number">${index + 1}</b> <b>${capital(typeName(record.type))}</b> ${measureOf(record)}${badges ? html` <span class="badge">${record.provenance.evidence_kind}</span>` : null}</p>
        <p class="fine">${record.occurred_on}; ${local}; ${utc}. ${whereOf(record)} (${record.relevance.relevance}); ${record.location.precision}${record.location.county ? `, ${record.location.county}, ${record.location.state}` : ''}. Severity ${record.severity}.</p>
        ${record.description ? html`<p class="quote">${record.description}</p>` : null}
        <p class="fine url">${record.provenance.source_label}: ${record.provenance.citation_url}</p>
      </article>`
    })}
  </section>`
}

/** The days before the newest, newest first, with the largest value of each. */
export function earlierSection({ records }: DocumentFacts): Html {
  const days = [...new Set(records.map(({ occurred_on }) => occurred_on))].slice(1)
  if (days.length === 0) return html``
  return html`<section><h2>Earlier days with records</h2><table><thead><tr><th scope="col">Day</th><th scope="col">Records</th><th scope="col">What</th></tr></thead>
    <tbody>${days.map((day) => {
      const of = records.filter(({ occurred_on }) => occurred_on === day)
      return html`<tr><td>${day}</td><td>${of.length}</td><td>${[...new Set(of.map((record) => [typeName(record.type), measureOf(record)].filter(Boolean).join(' ')))].join('; ')}</td></tr>`
    })}</tbody></table></section>`
}

export function observationsSection({ report }: DocumentFacts): Html {
  return html`<section class="keep"><h2>Station observations</h2>
    <p>${report.observation_count === 0 ? 'No station observation within 25 mi was used.' : `${plural(report.observation_count, 'hourly observation')} of gust and precipitation at stations within 25 mi were compared with the records above. They corroborate; they are not cited records.`}</p></section>`
}

/** Shown for orientation: a warning is a forecast, and counts as no evidence. */
export function warningsSection({ warnings, timezone }: DocumentFacts): Html {
  return html`<section><h2>Official warnings over the address</h2>
    ${warnings.length === 0 ? html`<p>No warning polygon held in the archive lies over the address in this window.</p>` : null}
    <ul>${warnings.map(({ event, office_name, issued_at, ends_at, citation_url }) => html`<li>${event}, ${office_name}: ${timesOf(issued_at.toISOString(), timezone).local}${ends_at ? ` to ${timesOf(ends_at.toISOString(), timezone).local}` : ''}. <span class="url fine">${citation_url}</span></li>`)}</ul>
    <p class="fine">Warnings are forecasts of what may happen: they are not counted and make no finding.</p></section>`
}
