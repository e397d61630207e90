import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import type { AttachedFile } from '#domain/reports/document/attach.ts'
import { inEvidenceOrder } from '#domain/reports/fingerprint.ts'
import type { CompleteReport } from '#domain/reports/verification.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** Names the file's format: another format has another schema name. */
const SCHEMA = 'weather-report-sources/1'

/**
 * Returns the file that locates the cited records in the agencies' files. It is attached beside the evidence, and the fingerprint does not
 * cover it. Empty if no record's file is known.
 */
export function sourcesFiles({ fingerprint, as_of }: Compiled, records: CitedRecordView[]): AttachedFile[] {
  if (records.every(({ provenance }) => provenance.file === null)) return []
  return [
    {
      name: 'sources.json',
      media_type: 'application/json',
      description: "Where each record of the evidence stands in the agency's file: its SHA-256, and the bytes of the row",
      bytes: Buffer.from(sourcesText({ fingerprint, as_of }, records), 'utf8'),
    },
  ]
}

/** The report that the records belong to; `as_of` is stated too if it was requested. */
type Compiled = Pick<CompleteReport, 'fingerprint' | 'as_of'>

/** Lists each cited file once; for each record, in the evidence's order, gives the index of its file in that list and its byte range. */
function sourcesText({ fingerprint, as_of }: Compiled, records: CitedRecordView[]): string {
  const cited = inEvidenceOrder(records).map(({ record }) => record.provenance.file)
  const names = new Map(cited.flatMap((file) => (file ? [[file.sha256, file.name]] : [])))
  const files = [...names].map(([sha256, name]) => ({ sha256, name })).sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
  const places = new Map(files.map(({ sha256 }, place) => [sha256, place]))
  return canonicalJson({
    schema: SCHEMA,
    fingerprint,
    ...(as_of !== null && { as_of }),
    files,
    records: cited.map((file) => file && { file: places.get(file.sha256), ...file.span }),
  })
}
