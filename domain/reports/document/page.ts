import { addressLine } from '#domain/places/address-line.ts'
import {
  coverageSection,
  earlierSection,
  findingsSection,
  keyFigures,
  observationsSection,
  recordsSection,
  summarySection,
} from '#domain/reports/document/body.ts'
import { authenticationSection, FOOTER, methodologySection, verificationSection } from '#domain/reports/document/closing.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { escapeHtml, type Html, html, raw } from '#domain/reports/document/html.ts'
import { mapSection } from '#domain/reports/document/map.ts'
import { openingPage } from '#domain/reports/document/opening.ts'
import { documentStyle } from '#domain/reports/document/style.ts'
import { timelineSection } from '#domain/reports/document/timeline.ts'
import { warningsSection } from '#domain/reports/document/warnings-section.ts'
import type { LayoutSection } from '#domain/reports/layout.ts'

/** A document ready to be printed. */
export interface DocumentPage {
  title: string
  html: string
  /** The footer of every sheet. */
  footer: string
}

/** A photograph requested from a provider; null bytes if it could not be fetched. */
export interface Photograph {
  label: string
  credit: string
  bytes: Buffer | null
}

/** Lays out the whole document. Cover, coverage and verification are always printed; the rest as the layout states, in its order. */
export async function documentPage(facts: DocumentFacts, photographs: Photograph[]): Promise<DocumentPage> {
  const title = `Weather report: ${addressLine(facts.report.address)}, ${facts.report.window.start} to ${facts.report.window.end}`
  const sections = facts.report.layout.sections.map((section) => chosen[section](facts, photographs))
  const body = html`${facts.sample ? html`<p class="sample-stamp">SAMPLE, MADE UP: no such storm is on record</p>` : null}
    ${await openingPage(facts)}
    ${facts.report.layout.elements.includes('key_figures') ? keyFigures(facts) : null}
    ${coverageSection(facts)}
    ${sections}
    ${facts.report.layout.elements.includes('timeline_chart') && !facts.report.layout.sections.includes('timeline') ? timelineSection(facts) : null}
    ${earlierSection(facts)}
    ${facts.report.layout.sections.includes('methodology') ? null : methodologySection(facts)}
    ${verificationSection(facts)}
    ${authenticationSection(facts)}`
  return {
    title,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${documentStyle()}</style></head><body>${body.html}</body></html>`,
    footer: footerOf(facts),
  }
}

const chosen: Record<LayoutSection, (facts: DocumentFacts, photographs: Photograph[]) => Html> = {
  summary: summarySection,
  findings: findingsSection,
  map: mapSection,
  timeline: timelineSection,
  events: recordsSection,
  observations: observationsSection,
  warnings: warningsSection,
  imagery: (_facts, photographs) => imagerySection(photographs),
  methodology: methodologySection,
}

function imagerySection(photographs: Photograph[]): Html {
  const shown = photographs.length > 0 ? photographs : [{ label: 'Imagery', credit: '', bytes: null }]
  return html`<section class="keep"><h2>Imagery</h2><div class="photographs">${shown.map(({ label, credit, bytes }) =>
    bytes
      ? html`<figure><img alt="${label}" src="data:image/jpeg;base64,${bytes.toString('base64')}"><figcaption>${label}. ${credit}</figcaption></figure>`
      : html`<p>${label}: Imagery not available</p>`,
  )}</div></section>`
}

/** The browser fills in the page-number classes; its templates take only their own style. */
function footerOf({ verification, sample }: DocumentFacts): string {
  const stamp = sample ? html`<b style="color:#a3182b">SAMPLE, MADE UP. </b>` : raw('')
  return html`<div style="font:9px/1.25 sans-serif;color:#3c444c;width:100%;padding:0 14mm;display:flex;gap:16px;align-items:flex-end">
    <span style="flex:1">${stamp}${FOOTER}</span>
    <span style="white-space:nowrap">${verification.short_fingerprint} &nbsp; <span class="pageNumber"></span>/<span class="totalPages"></span></span></div>`
    .html
}
