import type { Document, Source } from '#domain/archive/sources/source.ts'
import { readStormEvents } from '#domain/archive/storm-events/read.ts'
import { MADE_UP } from '#domain/weather/sources.ts'

/** No agency has such a record, so it cites a domain that nobody can own (RFC 2606, section 2). */
const SAMPLE_CITATION_URL = 'https://sample.invalid/made-up'

/** The made-up storm day of a new install. It shows what a report is, and is labelled as made up wherever it appears. */
export const sample = {
  id: 'sample',
  slug: 'sample',
  label: MADE_UP,
  lane: 'record',
  evidence_kind: 'ground',
  methodology: 'Made up to show what a report looks like: no such storm is on record.',
  cite: () => SAMPLE_CITATION_URL,
  read: (document: Document) => readStormEvents(document, { source: 'sample', cite: () => SAMPLE_CITATION_URL }),
} as const satisfies Source
