import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unreadable } from '../file-fault.ts'
import type { Span } from './cited-rows.ts'

/** Facts about a file on disk. */
export interface FileDigest {
  sha256: string
  bytes: number
  /** SHA-256 of the unpacked file; null if the file is not gzip, or is damaged or truncated. */
  unpacked_sha256: string | null
  is_gzip: boolean
}

/**
 * Hashes a file of any size as a stream.
 * @throws Failure 2 if it cannot be read
 */
export async function digestOf(file: string): Promise<FileDigest> {
  const packed = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  for await (const piece of piecesOf(file)) {
    if (head.length < 2) head = Buffer.concat([head, piece])
    packed.update(piece)
    bytes += piece.length
  }
  const is_gzip = head[0] === 0x1f && head[1] === 0x8b
  return { sha256: packed.digest('hex'), bytes, unpacked_sha256: is_gzip ? await unpackedDigest(file) : null, is_gzip }
}

async function unpackedDigest(file: string): Promise<string | null> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const piece of unpacked(file)) {
      hash.update(piece)
      bytes += piece.length
      if (bytes > UNPACKED_MAX) return null
    }
    return hash.digest('hex')
  } catch {
    return null
  }
}

/** Largest accepted unpacked size in bytes: the agencies' files have a few hundred million. A gzip bomb would never end. */
const UNPACKED_MAX = 8 * 1024 ** 3

/** The parts read from a file. */
export interface SourceText {
  /** Its first bytes, one character per byte. They contain the columns of a table. */
  head: string
  /** The whole file, one character per byte, if it is not longer than a file of reports. */
  fullText: string | null
  /** The text of a span, decoded as UTF-8 if valid; null if it ends after the file or is longer than any row. */
  at(span: Span): string | null
}

/** Bytes of a head, of the longest row of a table, and of the longest file of reports. */
const HEAD = 65_536
const ROW_MAX = 1_048_576
const FILE_MAX = 64 * 1024 ** 2

/** Reads spans of a file of any size, up to the last span, without storing the rest. */
export async function readSpans(file: string, is_gzip: boolean, spans: readonly Span[]): Promise<SourceText> {
  const wanted = spans.filter(({ length }) => length <= ROW_MAX)
  const found = new Map(wanted.map((span) => [keyOf(span), { ...span, pieces: [] as Buffer[] }]))
  const open = [...found.values()].sort((one, other) => one.start - other.start)
  const end = Math.max(HEAD, ...wanted.map(({ start, length }) => start + length))
  const pieces: Buffer[] = []
  let at = 0
  let first = 0
  for await (const piece of is_gzip ? unpacked(file) : piecesOf(file)) {
    if (at < FILE_MAX) pieces.push(piece)
    for (let place = first; place < open.length; place++) {
      const span = open[place] as (typeof open)[number]
      if (span.start >= at + piece.length) break
      span.pieces.push(piece.subarray(Math.max(0, span.start - at), Math.max(0, span.start + span.length - at)))
      if (place === first && span.start + span.length <= at + piece.length) first += 1
    }
    at += piece.length
    if (at >= end && at >= FILE_MAX) break
  }
  const kept = Buffer.concat(pieces).toString('latin1')
  return {
    head: kept.slice(0, HEAD),
    fullText: at < FILE_MAX ? kept : null,
    at: (span) => {
      const bytes = Buffer.concat(found.get(keyOf(span))?.pieces ?? [])
      return bytes.length === span.length && span.length > 0 ? textOf(bytes) : null
    },
  }
}

const textOf = (bytes: Buffer) => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')

const keyOf = ({ start, length }: Span) => `${start} ${length}`

async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file)
  } catch (fault) {
    throw unreadable(file, fault)
  }
}

const unpacked = (file: string): AsyncIterable<Buffer> => pipeline(createReadStream(file), createGunzip(), () => {})
