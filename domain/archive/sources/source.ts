import type { Spanned } from '#domain/archive/files/span.ts'
import type { Frame } from '#domain/archive/radar/frame.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import type { WarningMessage } from '#domain/archive/warnings/warning.ts'
import type { LaneName } from '#domain/closed-sets.ts'
import type { Validators } from '#domain/engines/http.ts'
import type { Position } from '#domain/geo/measure.ts'
import type { EvidenceKind, SourceId } from '#domain/weather/sources.ts'

/** A file as it arrives: its name, and its decompressed bytes. */
export interface Document {
  file_name: string
  bytes: AsyncIterable<Uint8Array>
}

/** A row of a Storm Events locations file: one corner of an event. */
export interface EventCorner {
  /** Key of its record, which may be stored already, later or never. */
  source_key: string
  location_index: number
  position: Position
}

/** A county that a forecast zone lies in. */
export interface ZoneMember {
  /** State and number: TXZ119. */
  zone: string
  county_fips: string
  /** The zone's own name: Northern Erie. */
  name: string
}

/** The position of a weather station. */
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
  /** Of the previous hour. */
  precipitation_in: number | null
  /**
   * Withdraws earlier values of that time: `all` of them if the station corrected the report, in whichever order they are
   * read; or its `gust` if the agency's checks refused it, until it is stated again.
   */
  withdraws?: 'all' | 'gust'
}

/** What a file contains: known from its name or its head, before a row is read. */
export interface Contents {
  /**
   * `records`, `extract` and `reports` all contain records. An extract is a selection and reports are preliminary, so
   * neither proves anything about its months.
   */
  kind: 'records' | 'extract' | 'reports' | 'corners' | 'zones' | 'warnings' | 'frames' | 'observations'
  /** YYYY-MM-DD on which the agency compiled the file, if its name states it. */
  compiled_on: string | null
  /** The year that its name states. */
  year: number | null
  /** The states in which its months count as stored. */
  covers: 'every_state' | 'states_of_its_records'
  /** Prefix of the keys that the file has completely: stored keys with this prefix that are not in the file are withdrawn. */
  complete_prefix?: string
  /** A final record of its contents is still to come. */
  preliminary?: boolean
}

/** A row that could not be used. */
export interface Rejection {
  /** Its position in the file, with its id if readable: "line 812, EVENT_ID 801726". */
  row: string
  reason: string
  /** Key of the record that it would have been; null if unreadable. */
  source_key: string | null
}

/** A part of a file, in the file's order. Only the lists for the file's kind of contents are filled. */
export interface Batch {
  /** Rows read, including rejected ones. */
  rows: number
  records: ArchiveRecord[]
  /** Months under which the source files the records, YYYY-MM. Local dates may fall into the next month. */
  months: string[]
  corners: EventCorner[]
  members: ZoneMember[]
  warnings: WarningMessage[]
  frames: Frame[]
  stations: StationFact[]
  observations: StationValue[]
  rejections: Rejection[]
}

/** Yields a file that is read as a whole as one batch. */
export async function* singleBatch(batch: Batch): AsyncGenerator<Batch> {
  yield batch
}

/** Returns a batch with that number of rows and empty lists. */
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

/** A parsed file: its contents, then its rows as they arrive. */
export interface ParsedFile {
  contents: Contents
  batches: AsyncIterable<Batch>
}

/** A feed response, to be read like a file of its source. */
export interface FeedAnswer {
  url: string
  file_name: string
  body: Buffer
  /** For the next request: stored once the response has been read. Null if the next request is unconditional anyway. */
  validators: Validators | null
  /** The time that the response states for itself; null if none. A time before that of the URL's previous response is a step back. */
  stated_at: Date | null
  /** Months of the source, YYYY-MM, that are stored once the response has been read. */
  months?: string[]
  /** The span that the source has been read for in every state once this response is read; for a source stored by the day. */
  covered_span?: { from: Date; until: Date }
  /** The time up to which the source has been read, once this response is read. */
  through?: Date
}

/** Requests a URL of a feed conditionally. Returns null if it has not changed, or does not exist (404). */
export type Ask = (
  url: string,
  options?: AskOptions,
) => Promise<Omit<FeedAnswer, 'file_name' | 'months' | 'covered_span' | 'through'> | null>

export interface AskOptions {
  max_bytes?: number
  timeout_ms?: number
  headers?: Record<string, string>
  /** Requests the full content even if nothing changed, or for a URL that is requested only once. */
  unconditional?: boolean
  /** A URL that returns an empty list if there is nothing. A 404 means that it was not read. */
  always_there?: boolean
}

/** What to read from a feed. */
export interface FeedSpan {
  /** The time up to which it was read before; null on the first run. */
  since: Date | null
  now: Date
  /** The states around the watched places, by two-letter code. */
  states(): Promise<string[]>
  /** The known stations around them that are due for a request. */
  stations(): Promise<DueStation[]>
}

/** A station to request observations from. */
export interface DueStation {
  id: string
  /** Time of its newest stored observation; null if there is none. */
  heard_at: Date | null
}

/** One source of the archive, with the facts about it that are stated nowhere else. */
export interface Source {
  /** The identifier in records, coverage and responses. */
  id: SourceId
  /** The spelling used in command lines and paths. */
  slug: string
  label: string
  lane: LaneName
  /** What kind of evidence its records are; a row from an instrument states so itself. */
  evidence_kind: EvidenceKind
  /**
   * How the agency makes its records, in one sentence that is printed beside each record. Never changed once released,
   * except by a new version.
   */
  methodology: string
  /** The page or folder where a record can be looked up at its source. */
  cite(record: Pick<ArchiveRecord, 'source_key' | 'occurred_on' | 'begins_at'>): string
  /**
   * Reads one of its files, keeping no more than one batch of it in memory.
   * @throws Refusal validation_failed on `file` if the file as a whole cannot be used
   */
  read(document: Document): Promise<ParsedFile>
  /**
   * Requests new data from its feed, one response after another. Absent if there is no feed: the files of Storm Events and
   * of forecast zones are compared with what the agency's page lists (feeds/sync-storm-events.ts, feeds/sync-zones.ts).
   * Returns the time up to which the source has now been read. An error that keeps a response from being stored is thrown
   * at the `yield`. A source that continues without that response throws the error at its end, so that the response is
   * requested again.
   * @throws Refusal engine_unavailable, HttpFailure if a response cannot be fetched; what was yielded before stays
   */
  fetch?(ask: Ask, span: FeedSpan): AsyncGenerator<FeedAnswer, Date>
}
