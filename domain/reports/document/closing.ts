import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { INCLUSION_FILE } from '#domain/reports/document/attach.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { compiledText } from '#domain/reports/document/format.ts'
import { type Html, html, prose } from '#domain/reports/document/html.ts'
import { authorityOf } from '#domain/reports/stamp.ts'

/** The contract's footer, word for word. */
export const FOOTER =
  'This report compiles archived public weather records. It is not an inspection, an engineering or meteorological opinion, legal advice or insurance adjusting, and does not address damage, cause or policy terms. Radar values are estimates. Not affiliated with any agency.'

/** Prints how each cited source works and how distances are measured. */
export function methodologySection({ records }: DocumentFacts): Html {
  const methods = [...new Map(records.map(({ provenance }) => [provenance.source, provenance])).values()]
  return html`<section class="keep"><h2>Methodology</h2>
    ${methods.map(({ source_label, methodology }) => html`<p><b>${source_label}.</b> ${methodology}</p>`)}
    <p>Distances are great-circle miles from the located point. Records of a path or an area are measured to their nearest part. A record that names only its county or forecast zone has no distance.
      The point of a record is as exact as its source gives it: usually by a distance in whole miles and a direction from a town, before 1993 in hundredths of a degree; most records of 1993 to 1995 name only their county. Distances are to that point, and their decimals do not make it more exact.
      A tornado that crosses into another county may have a record in each: the number of tornado records is not that of tornadoes.
      Values that radar estimated are kept apart from those that people or instruments reported. The severe line for hail is 1.00 in since 5 January 2010 and was 0.75 in before.</p>
  </section>`
}

/** Always printed: how anybody can check the document without our help. */
export function verificationSection({ report, verification, signature, signer }: DocumentFacts): Html {
  const { log } = verification
  return html`<section class="keep"><h2>Verification</h2>
    <dl class="meta">
      <div><dt>Fingerprint (SHA-256)</dt><dd class="mono">${report.fingerprint}</dd></div>
      <div><dt>Short form</dt><dd class="mono">${verification.short_fingerprint}</dd></div>
      <div><dt>Page</dt><dd class="url fine">${verification.verify_url}</dd></div>
      ${signature ? html`<div><dt>Signature (Ed25519)</dt><dd class="mono">${signature.ed25519}<br>of the fingerprint, by the key ${signature.key_id}</dd></div>` : null}
      <div><dt>Signed as a whole</dt><dd>by ${signer.name}, key <span class="mono">${signer.key_id}</span>; public keys at <span class="url">${signer.keys_url}</span></dd></div>
      <div><dt>Method</dt><dd>version ${report.methodology_version} of the rules by which records become a report</dd></div>
      ${
        log &&
        html`<div><dt>Log of fingerprints</dt><dd>entry ${log.index} of <span class="url">${readCheckpoint(log.checkpoint).origin}</span>: see the attached ${INCLUSION_FILE}</dd></div>`
      }
      <div><dt>Statement</dt><dd>${authorityOf(report.coverage)}. ${pluralize(verification.records, 'record')}, ${pluralize(verification.observations, 'observation')}, ${verification.sources_found} of ${pluralize(verification.sources_searched, 'source')} with records.</dd></div>
    </dl>
    <p>The file evidence.json is attached to this document. It holds the place, the window, what was searched and every cited record. The fingerprint is the SHA-256 of its canonical form (RFC 8785):
      recompute it with <span class="mono">weather verify FILE.pdf</span>, which needs no network, or drop the file on the page above.
      The signature is over every byte of this file (PAdES): a PDF reader shows whether anything was changed since, and the published key shows whose it is.</p>
  </section>`
}

/** For readers who must authenticate the file elsewhere: facts about how it was made, no advice. */
export function authenticationSection({ report, verification, vintages }: DocumentFacts): Html {
  const compiled = [...new Set(vintages.filter(({ compiled_on }) => compiled_on !== null).map(compiledText))].join(', ')
  return html`<section class="keep"><h2>Appendix: how this file can be authenticated</h2>
    <ul>
      <li>Hash: the attached evidence hashes to ${report.fingerprint}; a change of any cited fact changes it.</li>
      <li>Source: each record names its public source and the address at which that source shows it${
        vintages.length > 0 ? prose(`; files compiled ${compiled || 'as they came in'}`) : ''
      }.</li>
      <li>Process: the rules of the method selected records by place and date alone: one where several products repeat one event, and of a storm on radar its largest values. They are copied as they stood on ${report.as_of ?? report.generated_at}; later changes at a source do not change this report.</li>
      <li>Custodian: the operator of the service at ${new URL(verification.verify_url).origin}, who keeps the report under the id <span class="whole">${report.id}</span>.</li>
    </ul>
    <p class="fine">${FOOTER}</p>
  </section>`
}
