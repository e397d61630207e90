import { STATION_GUST_MPH, STATION_REACH_MILES } from '#domain/archive/observations/nearby.ts'
import { milesText } from '#domain/evidence/distance-text.ts'
import { capitalize, pluralize } from '#domain/kernel/text.ts'
import { isPrecise } from '#domain/places/place.ts'
import { earlierDays } from '#domain/reports/document/earlier-days.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { isTrusted, largestFigures } from '#domain/reports/document/figures.ts'
import { areaOf, compiledText, measurementText, timesOf, whereOf } from '#domain/reports/document/format.ts'
import { type Html, html, prose } from '#domain/reports/document/html.ts'
import { numberedRecords, PRINTED_MAX } from '#domain/reports/document/numbered-records.ts'
import { RECORDS_FILE } from '#domain/reports/document/records-file.ts'
import type { CitedRecordView, FindingView, ReportView } from '#domain/reports/view.ts'
import { typeName } from '#domain/reports/wording/phrases.ts'

/** Always printed before the findings: what was searched, and what the records cannot show. */
export function coverageSection({ report, vintages }: DocumentFacts): Html {
  return html`<section class="keep"><h2>Coverage and limits</h2>
    <p>${prose(report.coverage.summary ?? '')}</p>
    <p>${completenessSentence(report.coverage)}
      Absence of a record does not show that none occurred.</p>
    ${
      vintages.length === 0
        ? html`<p>No source was searched for this window.</p>`
        : html`<table><thead><tr><th scope="col">Source searched</th><th scope="col">Compiled</th></tr></thead>
      <tbody>${vintages.map((vintage) => html`<tr><td>${vintage.label}</td><td class="whole">${compiledText(vintage)}</td></tr>`)}</tbody></table>`
    }
  </section>`
}

/** Says nothing of a complete window: what its sources never had, or had not yet, stands above. */
function completenessSentence({ complete, unplaced_zone_records }: ReportView['coverage']): string {
  if (!complete) return 'Part of what is needed for this window is not held: see above.'
  return unplaced_zone_records ? 'Records of forecast zones could not be placed: see above.' : ''
}

/** Prints the counts, and the largest of each kind of value beside its own place and day. */
export function keyFigures({ report, records }: DocumentFacts): Html {
  const precise = isPrecise(report.address)
  const counts: [string, string][] = [
    ['Records cited', String(report.event_count)],
    ['Days with records', String(new Set(records.map(({ occurred_on }) => occurred_on)).size)],
    ['Station observations searched', String(report.observation_count)],
  ]
  const figures = largestFigures(records).map(({ label, value, qualifier, record }): [string, string] => [
    `${label} (${qualifier}), ${whereOf(record, precise)} on ${record.occurred_on}`,
    value,
  ])
  return html`<section class="keep"><h2>Key figures</h2><dl class="figures">${[...counts, ...figures].map(([label, value]) => html`<div><dd>${value}</dd><dt>${prose(label)}</dt></div>`)}</dl></section>`
}

/** Prints one line per finding, for readers who stop here. */
export function summarySection({ report }: DocumentFacts): Html {
  const findings = report.findings ?? []
  if (findings.length === 0) return html`<section class="keep"><h2>Summary</h2><p>${prose(report.nothing_found ?? '')}</p></section>`
  return html`<section><h2>Summary</h2><table>
    <thead><tr>${['Finding', 'Records', 'Severity', 'Confidence', 'Most recent', 'Nearest'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${findings.map(
      (
        finding,
      ) => html`<tr><td>${finding.family_label}</td><td>${finding.event_count}</td><td>${finding.peak_severity}</td><td>${finding.confidence_label}</td>
        <td class="whole">${finding.most_recent}</td><td class="whole">${nearestOf(finding, isPrecise(report.address))}</td></tr>`,
    )}</tbody></table></section>`
}

const nearestOf = ({ nearest_miles }: FindingView, precise: boolean) =>
  nearest_miles === null ? 'names no point' : milesText(nearest_miles, precise)

/** Prints each finding: its statement, confidence, peak and evidence. */
export function findingsSection({ report, records }: DocumentFacts): Html {
  const findings = report.findings ?? []
  return html`<section><h2>Findings</h2>
    ${findings.length === 0 ? html`<p>${report.layout.sections.includes('summary') ? 'None.' : prose(report.nothing_found ?? '')}</p>` : null}
    ${findings.map(
      (finding) => html`<article class="finding">
        <h3>${finding.family_label}</h3>
        <p>${prose(finding.statement)}</p>
        <p class="fine">${finding.confidence_label}. ${pluralize(finding.event_count, 'record')}; most recent ${finding.most_recent};
          ${severityOf(finding)}; evidence: ${finding.evidence_labels.join(', ')}${finding.nearest_miles === null ? '' : `; nearest ${nearestOf(finding, isPrecise(report.address))}`}${[
            finding.peak_hail_in === null
              ? ''
              : `; hail up to ${finding.peak_hail_in.toFixed(2)} in${isObservedHail(finding, records) ? '' : ' estimated by radar'}`,
            finding.peak_wind_mph === null ? '' : `; wind up to ${finding.peak_wind_mph} mph`,
            finding.peak_tornado_ef === null ? '' : `; tornado up to ${finding.peak_tornado_rating ?? finding.peak_tornado_ef}`,
          ].join('')}. Days: ${prose(daysOf(finding))}.</p>
      </article>`,
    )}
  </section>`
}

const severityOf = ({ peak_severity }: FindingView) =>
  peak_severity === 'unknown' ? 'severity unknown' : `severity up to ${peak_severity}`

/** Whether the largest hail of a finding was observed: radar's value replaces it only if no report gives a size. */
function isObservedHail({ family }: FindingView, records: CitedRecordView[]): boolean {
  return largestFigures(records.filter((record) => record.family === family)).some(
    ({ record: { measurements, provenance } }) => measurements.hail_size_in !== null && provenance.is_observed,
  )
}

/** The most days of a finding that are listed: nobody reads more. */
const DAYS_MAX = 60

/** Lists the newest days, and how many earlier ones there are. */
function daysOf({ dates }: FindingView): string {
  const listed = dates.slice(0, DAYS_MAX).join(', ')
  const more = dates.length - DAYS_MAX
  return more > 0 ? `${listed}; and ${more} before, in the attached ${RECORDS_FILE}` : listed
}

/** Prints the nearest and strongest records, each whole on one page, with its number, its times and the address of its source. */
export function recordsSection(facts: DocumentFacts): Html {
  const { report, records, timezone } = facts
  const { elements } = report.layout
  const precise = isPrecise(report.address)
  const badges = elements.includes('evidence_badges')
  const narratives = elements.includes('narratives')
  return html`<section><h2>Cited records</h2>
    ${records.length === 0 ? html`<p>None.</p>` : null}
    ${records.length > PRINTED_MAX ? html`<p>${selection(facts)}</p>` : null}
    ${numberedRecords(facts)
      .slice(0, PRINTED_MAX)
      .map(
        ({ record, number }) => html`<article class="record">
        <p class="line"><b class="number">${number}</b> <b>${capitalize(typeName(record.type))}</b> ${measurementText(record)}${badges ? html` <span class="badge">${record.provenance.evidence_kind}</span>` : null}</p>
        <p class="fine">${whenOf(record, timezone)}. ${whereOf(record, precise)} (${record.relevance.relevance}). Severity ${record.severity}. ${placeOfRecord(record)}.</p>
        ${record.provenance.caveats.length > 0 ? html`<p class="caveat"><b>Doubted.</b> ${prose(record.provenance.caveats.join(' '))}</p>` : null}
        ${narratives && record.description ? html`<p class="quote">${record.description}</p>` : null}
        <p class="fine url">${record.provenance.source_label}, record ${record.id} of the archive: ${record.provenance.citation_url}</p>
      </article>`,
      )}
  </section>`
}

/** States which records are printed, if not all of them are. */
function selection({ report, records }: DocumentFacts): string {
  const first = report.date_of_loss === null ? '' : 'those of the date of loss and of the two days before and after it first, then '
  return `The ${PRINTED_MAX} nearest and strongest of ${records.length} records are printed: ${first}those within 3 mi, within 10 mi and beyond, of each the most severe first, then the nearest. All ${records.length} are in the attached ${RECORDS_FILE}, by the same numbers, and in evidence.json.`
}

/** The local day that the record counts for, by the clock of its own place; then the moment, by the clock of the address and in UTC. */
function whenOf({ occurred_on, begins_at, ends_at }: CitedRecordView, timezone: string): string {
  const { local, utc } = timesOf(begins_at, timezone)
  const day = local.startsWith(occurred_on) ? '' : `${occurred_on}; `
  if (ends_at === null || ends_at === begins_at) return `${day}${local}; ${utc}`
  const end = timesOf(ends_at, timezone).utc
  return `${day}${local}; ${utc.replace(' UTC', '')} to ${end.replace(utc.slice(0, 'YYYY-MM-DD '.length), '')}`
}

function placeOfRecord({ location }: CitedRecordView): Html {
  const { precision, latitude, longitude } = location
  const at =
    latitude === null || longitude === null ? null : html` <span class="whole">${latitude.toFixed(5)}, ${longitude.toFixed(5)}</span>`
  return html`${capitalize(precision)}${at}${location.county || location.zone ? `, ${areaOf(location)}` : ''}`
}

/** Prints the earlier days, newest first: how many records of each kind, and the largest value among them. */
export function earlierSection(facts: DocumentFacts): Html {
  const { report, records } = facts
  const days = earlierDays(facts)
  if (days.length === 0 || !report.layout.elements.includes('prior_events')) return html``
  return html`<section><h2>Earlier days with records</h2><table><thead><tr><th scope="col">Day</th><th scope="col">Records</th><th scope="col">What</th></tr></thead>
    <tbody>${days.map((day) => {
      const dayRecords = records.filter(({ occurred_on }) => occurred_on === day)
      return html`<tr><td class="whole">${day}</td><td>${dayRecords.length}</td><td>${kindsOf(dayRecords)}</td></tr>`
    })}</tbody></table></section>`
}

/** Radar estimates are a kind of their own, and so are records that name a county or a zone. */
function kindsOf(records: CitedRecordView[]): string {
  const nameOf = ({ type, provenance, relevance, location }: CitedRecordView) =>
    `${typeName(type)}${provenance.is_observed ? '' : ' estimated by radar'}${relevance.distance_miles === null ? ` (${location.precision} records)` : ''}`
  return [...new Set(records.map(nameOf))]
    .map((name) => {
      const sameKind = records.filter((record) => nameOf(record) === name)
      const [largest] = sameKind.filter(isTrusted).sort((one, other) => magnitudeOf(other) - magnitudeOf(one))
      const measure = largest && measurementText(largest)
      const caveatNote = sameKind.every(isTrusted) ? '' : ' without a caveat'
      if (!measure) return `${name} ${sameKind.length}`
      if (magnitudeOf(largest) >= 0) return `${name} ${sameKind.length}, largest${caveatNote} ${measure}`
      // Of tornadoes rated EFU or not at all, none is the largest.
      return `${name} ${sameKind.length}, ${sameKind.length === 1 ? measure : `strength not known${caveatNote}`}`
    })
    .join('; ')
}

const magnitudeOf = ({ measurements: { hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale } }: CitedRecordView) =>
  hail_size_in ?? wind_gust_mph ?? wind_speed_mph ?? tornado_ef_scale ?? -1

/** Only severe gusts can corroborate: the other values are counted, and no record is compared with them. */
export function observationsSection({ report: { observation_count } }: DocumentFacts): Html {
  return html`<section class="keep"><h2>Station observations</h2><p>${prose(observationsText(observation_count))}</p></section>`
}

function observationsText(count: number): string {
  if (count === 0) return `No station observation within ${STATION_REACH_MILES} mi was searched.`
  const [at, were] = count === 1 ? ['a station', 'was'] : ['stations', 'were']
  return `${pluralize(count, 'hourly observation')} of gust and precipitation at ${at} within ${STATION_REACH_MILES} mi ${were} searched for gusts of ${STATION_GUST_MPH} mph or more, which can corroborate a report of wind. Observations are not cited records.`
}
