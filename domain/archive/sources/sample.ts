import type { Document, Source } from '#domain/archive/sources/source.ts'
import { readStormEvents } from '#domain/archive/storm-events/read.ts'

/** There is no page of a record that no agency holds: its citation is the database whose format it borrows. */
const FORMAT_PAGE = 'https://www.ncdc.noaa.gov/stormevents/'

/** The made-up storm day of a first start: it shows what a report is, and says wherever it stands that it is made up. */
export const sample = {
  id: 'sample',
  slug: 'sample',
  label: 'Sample, made up',
  lane: 'record',
  evidence_kind: 'ground',
  methodology: 'Made up to show what a report looks like: no such storm is on record.',
  cite: () => FORMAT_PAGE,
  read: (document: Document) => readStormEvents(document, { source: 'sample', cite: () => FORMAT_PAGE }),
} as const satisfies Source
