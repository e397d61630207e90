import type { Spanned } from '#domain/archive/files/span.ts'
import type { Frame } from '#domain/archive/radar/frame.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import type { WarningMessage } from '#domain/archive/warnings/warning.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import type { Validators } from '#domain/engines/http.ts'
import type { Position } from '#domain/geo/measure.ts'
import type { EvidenceKind, SourceId } from '#domain/weather/sources.ts'

/** A file as it comes: its name, and its bytes already unpacked. */
export interface Document {
  file_name: string
  bytes: AsyncIterable<Uint8Array>
}

/** A row of a Storm Events locations file: one corner of an event. */
export interface EventCorner {
  /** Key of the record that it belongs to, which may be held already, later or never. */
  source_key: string
  location_index: number
  position: Position
}

/** A county in which a forecast zone lies. */
export interface ZoneMember {
  /** State and number: TXZ119. */
  zone: string
  county_fips: string
  /** The zone's own name: Northern Erie. */
  name: string
}

/** Where a weather station stands. */
export interface StationFact {
  id: string
  name: string | null
  latitude: number
  longitude: number
}

/** What a station observed. */
export interface StationValue extends Spanned {
  station_id: string
  observed_at: Date
  wind_gust_mph: number | null
  /** Of the hour before. */
  precipitation_in: number | null
  /**
   * What was said of that moment before is wrong: `all` of it, where the station corrected it, whichever is read first; or its `gust`, where
   * the agency's checks have refused it, until it is said anew.
   */
  withdraws?: 'all' | 'gust'
}

/** What a file holds: known from its name or its head, before a row is read. */
export interface Contents {
  /**
   * `records`, `extract` and `reports` are all records: an extract is a selection, reports are preliminary, and neither
   * shows anything about the months it lies in.
   */
  kind: 'records' | 'extract' | 'reports' | 'corners' | 'zones' | 'warnings' | 'frames' | 'observations'
  /** YYYY-MM-DD the agency compiled the file, where its name says so. */
  compiled_on: string | null
  /** The year that its name says it is of. */
  year: number | null
  /** Of which states its months count as held. */
  covers: 'every_state' | 'states_of_its_records'
  /** Beginning of the keys of which the file has all there are: what is held under it and is not in the file is withdrawn. */
  whole?: string
  /** A final record is still to come of what it holds. */
  preliminary?: boolean
}

/** A row that could not be used. */
export interface Rejection {
  /** Where it stands in the file, with its id where that can be read: "line 812, EVENT_ID 801726". */
  row: string
  reason: string
  /** Key of the record that it would have been; null where that cannot be read. */
  source_key: string | null
}

/** A part of a file, in the file's order. Only the lists that the file's kind of contents has are filled. */
export interface Batch {
  /** Rows read, the rejected ones too. */
  rows: number
  records: ArchiveRecord[]
  /** Months under which the source files the records, YYYY-MM; local dates may fall into the next. */
  months: string[]
  corners: EventCorner[]
  members: ZoneMember[]
  warnings: WarningMessage[]
  frames: Frame[]
  stations: StationFact[]
  observations: StationValue[]
  rejections: Rejection[]
}

/** A file that is read as a whole comes as one batch. */
export async function* singleBatch(batch: Batch): AsyncGenerator<Batch> {
  yield batch
}

/** A batch of so many rows, with nothing read of them yet. */
export function emptyBatch(rows = 0): Batch {
  return {
    rows,
    records: [],
    months: [],
    corners: [],
    members: [],
    warnings: [],
    frames: [],
    stations: [],
    observations: [],
    rejections: [],
  }
}

/** How a file is read: what it holds, then its rows as they arrive. */
export interface ParsedFile {
  contents: Contents
  batches: AsyncIterable<Batch>
}

/** What a feed answered, to be read like a file of its source. */
export interface FeedAnswer {
  url: string
  file_name: string
  body: Buffer
  /** For the next request: noted once the answer has been read. Null where that asks anew all the same. */
  validators: Validators | null
  /** The moment that the answer says it is of; null where it says none. One before what the same address said is a step back in time. */
  stated_at: Date | null
  /** Months that are held from the source, YYYY-MM, once the answer has been read. */
  months?: string[]
  /** From when until when the source has been read of every state, once this answer has: where it is held by the day. */
  covered_span?: { from: Date; until: Date }
  /** Up to when the source has been read, once this answer has. */
  through?: Date
}

/** Asks an address of a feed, on condition that it changed; null where it did not, or where it has nothing there (404). */
export type Ask = (
  url: string,
  options?: AskOptions,
) => Promise<Omit<FeedAnswer, 'file_name' | 'months' | 'covered_span' | 'through'> | null>

export interface AskOptions {
  max_bytes?: number
  timeout_ms?: number
  headers?: Record<string, string>
  /** Asks anew even where nothing changed since, or an address that is asked once. */
  unconditional?: boolean
  /** An address that answers with an empty list where there is nothing: without an answer it was not read. */
  always_there?: boolean
}

/** What of a feed is wanted. */
export interface FeedSpan {
  /** Up to when it was read before; null at the first time. */
  since: Date | null
  now: Date
  /** The states around the watched places, by two-letter code. */
  states(): Promise<string[]>
  /** The known stations around them that are to be asked now. */
  stations(): Promise<AskedStation[]>
}

/** A station of which observations are asked for. */
export interface AskedStation {
  id: string
  /** Of the newest observation that is held; null where none is. */
  heard_at: Date | null
}

/** One source of the archive: the facts about it that are stated nowhere else. */
export interface Source {
  /** The identifier that records, coverage and answers carry. */
  id: SourceId
  /** The spelling of command lines and paths. */
  slug: string
  label: string
  lane: LaneName
  /** What its records are; an instrument's row says so itself. */
  evidence_kind: EvidenceKind
  /** How the agency makes its records, in one sentence: printed beside each. Never changed once released, but by a new version. */
  methodology: string
  /** The page or folder where a record can be looked up at its source. */
  cite(record: Pick<ArchiveRecord, 'source_key' | 'occurred_on' | 'begins_at'>): string
  /**
   * Reads one of its files, holding no more of it than a batch.
   * @throws Refusal validation_failed on `file` where the file as a whole cannot be used
   */
  read(document: Document): Promise<ParsedFile>
  /**
   * Asks its feed for what is new, one answer after another. Absent where there is none: the files of Storm Events and of forecast zones are
   * compared with what the agency's page lists (feeds/sync-storm-events.ts, feeds/sync-zones.ts).
   * Returns up to when the source has now been read. What keeps an answer from being held is thrown where it was yielded: a source
   * that reads on without it throws it at its end, so that it is asked for again.
   * @throws Refusal engine_unavailable, HttpFailure where an answer cannot be had: what was yielded before stays
   */
  fetch?(ask: Ask, span: FeedSpan): AsyncGenerator<FeedAnswer, Date>
}
