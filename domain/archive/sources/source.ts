import type { ArchiveRecord, EvidenceKind, Position } from '#domain/archive/record.ts'

export type Lane = 'record' | 'warnings' | 'surfaces'

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

/** A county that lies in a forecast zone. */
export interface ZoneMember {
  /** State and number: TXZ119. */
  zone: string
  county_fips: string
}

/** What a file holds: known from its name or its head, before a row is read. */
export interface Contents {
  /** `records` and `extract` are both records; an extract is a selection, which shows nothing about the months it lies in. */
  kind: 'records' | 'extract' | 'corners' | 'zones'
  /** YYYY-MM-DD the agency compiled the file, where its name says so. */
  compiled_on: string | null
  /** The year that its name says it is of. */
  year: number | null
  /** Of which states its months count as held. */
  covers: 'every_state' | 'states_of_its_records'
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
  rejections: Rejection[]
}

/** How a file is read: what it holds, then its rows as they arrive. */
export interface Reading {
  contents: Contents
  batches: AsyncIterable<Batch>
}

/** One source of the archive: the facts about it that are stated nowhere else. */
export interface Source {
  /** The identifier that records, coverage and answers carry. */
  id: string
  /** The spelling of command lines and paths. */
  slug: string
  label: string
  lane: Lane
  /** What its records are; an instrument's row says so itself. */
  evidence_kind: EvidenceKind
  /** How the agency makes its records, in one sentence: printed beside each. Never changed once released, but by a new version. */
  methodology: string
  /** The page or folder where a record can be looked up at its source. */
  cite(record: Pick<ArchiveRecord, 'source_key' | 'occurred_on' | 'begins_at'>): string
  /**
   * Reads one of its files, holding no more of it than a batch; absent where the source has none that can be imported.
   * @throws Refusal validation_failed on `file` where the file as a whole cannot be used
   */
  read?(document: Document): Promise<Reading>
}
