import { basename } from 'node:path'
import type { EvidenceRecord } from '../verify/evidence-shape.ts'
import type { CitedRow } from './cited-rows.ts'
import { type Faults, faultsOf, type Stated } from './faults.ts'
import { readHailRow } from './hail-row.ts'
import { readLocalReport } from './local-report.ts'
import type { SourceText } from './source-file.ts'
import { readSpcRow } from './spc-row.ts'
import { readStormEvent } from './storm-event.ts'

/** Reads the values of a row; returns a text with the reason if it has none. */
type Read = (row: string, of: { source: SourceText; name: string; record: EvidenceRecord; start: number }) => Stated | string

/** Row readers of the sources, written from the agencies' own descriptions of their files. */
const readers: Record<string, Read> = {
  noaa_storm_events: (row, { source }) => readStormEvent(row, source.head),
  sample: (row, { source }) => readStormEvent(row, source.head),
  noaa_spc_reports: (row, { source, name, start }) => readSpcRow(row, name, source.fullText?.slice(0, start) ?? ''),
  nws_lsr: (row, { source, record, start }) => readLocalReport(row, source.fullText?.slice(0, start) ?? '', record),
  nexrad_hail: (row) => readHailRow(row),
}

/** Returns the differences between a cited record and its row in the agency's file, in words. */
export function rowFaults({ record, span }: CitedRow, source: SourceText, name: string): Faults {
  if (record.location.precision === 'grid') return gridFaults(record, name)
  const row = source.at(span)
  if (row === null) return [`the file has no row at bytes ${span.start} to ${span.start + span.length}`]
  const read = readers[record.provenance.source]
  if (!read) return [`this program cannot read rows of ${record.provenance.source}`]
  const stated = read(row, { source, name, record, start: span.start })
  return typeof stated === 'string' ? [`${stated}: ${row.slice(0, ROW_SHOWN)}`] : faultsOf(record, stated)
}

/** Characters of a row that are shown. */
const ROW_SHOWN = 60

/**
 * A grid file is identified by its hash. Its name states its time: MRMS_MESH_00.50_20240228-025239.grib2, or for 24 hours their end:
 * MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2.
 */
function gridFaults({ begins_at, ends_at }: EvidenceRecord, name: string): Faults {
  const [, of_day, day, time] = /(_Max_1440min)?_00\.50_(\d{8})-(\d{6})\./.exec(basename(name)) ?? []
  if (day === undefined) return []
  if ((of_day !== undefined) !== (ends_at !== null))
    return [`the grid is for ${of_day ? 'the maximum of 24 hours' : 'a single time'}, but the report states otherwise`]
  const stated = ends_at ?? begins_at
  return `${day}T${time}` === stated.replace(/[-:Z]/g, '') ? [] : [`the grid is for ${day} ${time}, but the report states ${stated}`]
}
