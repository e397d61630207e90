import { corners } from '#domain/archive/ingest/kinds/corners.ts'
import { frames } from '#domain/archive/ingest/kinds/frames.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { observations } from '#domain/archive/ingest/kinds/observations.ts'
import { extract, records } from '#domain/archive/ingest/kinds/records.ts'
import { reports } from '#domain/archive/ingest/kinds/reports.ts'
import { warnings } from '#domain/archive/ingest/kinds/warnings.ts'
import { zones } from '#domain/archive/ingest/kinds/zones.ts'
import type { Contents } from '#domain/archive/sources/source.ts'

/** The handler of each kind of contents. */
export const handlers: Record<Contents['kind'], KindHandler> = { records, extract, reports, corners, zones, warnings, frames, observations }
