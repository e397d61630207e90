import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { layoutElements, layoutSections, mapLayers } from '#domain/reports/layout.ts'
import type { VerificationView } from '#domain/reports/view.ts'
import type { StatedReport } from './claims.ts'

/** Returns the markup of a report's document with every section, element and layer, from the service's responses about it. */
export async function documentOf({ report, records }: StatedReport, verification: VerificationView): Promise<string> {
  const facts: DocumentFacts = {
    report: {
      ...report,
      fingerprint: report.fingerprint as string,
      generated_at: report.generated_at as string,
      layout: { sections: layoutSections, imagery: [], elements: layoutElements, map: { base: 'plain', layers: mapLayers } } as never,
    },
    records: records.map((record) => ({ ...record, path_end: null, corners: null })),
    verification,
    signature: null,
    signer: { key_id: '0000000000000000', name: 'Oracle', keys_url: 'http://127.0.0.1/.well-known/jwks.json' },
    vintages: [],
    unplaced_zones: [],
    warnings: [],
    towns: [],
    swaths: null,
    team: { name: 'Oracle', paper: 'letter', brand_name: null, brand_logo: null },
    timezone: 'UTC',
    coordinates_sent: false,
    sample: records.some(({ sample }) => sample),
  }
  return (await documentPage(facts, [])).html
}
