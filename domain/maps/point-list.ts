import { type RecordType, recordTypes, type Severity, severities } from '#domain/archive/families.ts'
import { type EvidenceKind, evidenceKinds, type RecordSource, recordSources } from '#domain/archive/record.ts'

/** A record as a map shows it; x and y are world units. */
export interface MapPoint {
  id: number
  x: number
  y: number
  type: RecordType
  severity: Severity
  /** Days since 1970. */
  day: number
  value: number | null
  source: RecordSource
  evidence_kind: EvidenceKind
}

/** A path from one point to another. */
export interface MapPath extends MapPoint {
  end_x: number
  end_y: number
}

/** Bytes of a point: id, x, y, day (4 each), value in hundredths (4), type, severity, source, evidence kind (1 each). */
const POINT_BYTES = 24
/** A path has its end besides. */
const PATH_BYTES = POINT_BYTES + 8
const NO_VALUE = 0xffffffff
const HUNDREDTHS = 100

/** Points as bytes, in the order given. */
export function packPoints(points: MapPoint[]): Buffer {
  const bytes = Buffer.allocUnsafe(points.length * POINT_BYTES)
  for (const [index, point] of points.entries()) putPoint(bytes, index * POINT_BYTES, point)
  return bytes
}

export function packPaths(paths: MapPath[]): Buffer {
  const bytes = Buffer.allocUnsafe(paths.length * PATH_BYTES)
  for (const [index, path] of paths.entries()) {
    const at = index * PATH_BYTES
    putPoint(bytes, at, path)
    bytes.writeUInt32LE(path.end_x, at + POINT_BYTES)
    bytes.writeUInt32LE(path.end_y, at + POINT_BYTES + 4)
  }
  return bytes
}

export function unpackPoints(bytes: Buffer): MapPoint[] {
  return Array.from({ length: bytes.length / POINT_BYTES }, (_, index) => pointAt(bytes, index * POINT_BYTES))
}

export function unpackPaths(bytes: Buffer): MapPath[] {
  return Array.from({ length: bytes.length / PATH_BYTES }, (_, index) => {
    const at = index * PATH_BYTES
    return { ...pointAt(bytes, at), end_x: bytes.readUInt32LE(at + POINT_BYTES), end_y: bytes.readUInt32LE(at + POINT_BYTES + 4) }
  })
}

function putPoint(bytes: Buffer, at: number, point: MapPoint): void {
  bytes.writeUInt32LE(point.id, at)
  bytes.writeUInt32LE(point.x, at + 4)
  bytes.writeUInt32LE(point.y, at + 8)
  bytes.writeInt32LE(point.day, at + 12)
  bytes.writeUInt32LE(point.value === null ? NO_VALUE : Math.round(point.value * HUNDREDTHS), at + 16)
  bytes[at + 20] = numberOfType.get(point.type) as number
  bytes[at + 21] = severities.indexOf(point.severity)
  bytes[at + 22] = recordSources.indexOf(point.source)
  bytes[at + 23] = evidenceKinds.indexOf(point.evidence_kind)
}

function pointAt(bytes: Buffer, at: number): MapPoint {
  const value = bytes.readUInt32LE(at + 16)
  return {
    id: bytes.readUInt32LE(at),
    x: bytes.readUInt32LE(at + 4),
    y: bytes.readUInt32LE(at + 8),
    day: bytes.readInt32LE(at + 12),
    value: value === NO_VALUE ? null : value / HUNDREDTHS,
    type: recordTypes[bytes[at + 20] as number] as RecordType,
    severity: severities[bytes[at + 21] as number] as Severity,
    source: recordSources[bytes[at + 22] as number] as RecordSource,
    evidence_kind: evidenceKinds[bytes[at + 23] as number] as EvidenceKind,
  }
}

const numberOfType = new Map(recordTypes.map((type, number) => [type, number]))
