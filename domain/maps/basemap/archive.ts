import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { bytesToHeader, Compression, type Header, PMTiles, ResolvedValueCache, type Source, TileType } from 'pmtiles'
import type { ByteRanges } from '#domain/engines/byte-ranges.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { tileAt, worldPoint } from '#domain/maps/mercator.ts'

/** A checked PMTiles archive of version 3, with the parts of it that are used. */
export interface BasemapArchive {
  min_zoom: number
  max_zoom: number
  /** West, south, east, north. */
  bounds: [number, number, number, number]
  /** As its maker states it, with markup removed. */
  attribution: string
  /** Bytes of the whole archive, according to its header. */
  bytes: number
  /** Returns a tile without compression; null if there is none. */
  tile(z: number, x: number, y: number): Promise<Buffer | null>
}

/** What is wrong with a basemap, as a sentence. */
export class BadBasemap extends Error {}

/** Bytes of the header, which is read first. */
export const HEADER_BYTES = 127
/**
 * Bytes of the largest directory, metadata or tile, packed or not: none that is made for maps is larger. An entry of a directory may have
 * four bytes and takes some 160 of memory.
 */
const PART_MAX = 8 * 1024 * 1024
const TOO_LARGE = 'a part of it is larger than any part of a map'
const DIRECTORIES_KEPT = 100
const KINDS: Partial<Record<TileType, string>> = {
  [TileType.Png]: 'PNG pictures',
  [TileType.Jpeg]: 'JPEG pictures',
  [TileType.Webp]: 'WebP pictures',
  [TileType.Avif]: 'AVIF pictures',
  [TileType.Mlt]: 'MapLibre tiles',
}
/** The drawn layers of the Protomaps basemap schema: an archive must have at least one of them. */
const DRAWN = ['earth', 'landcover', 'landuse', 'water', 'roads', 'boundaries', 'places', 'buildings']
const OSM = '© OpenStreetMap contributors'

/**
 * Reads the header of a PMTiles archive: its magic, version, type of tiles, zooms, bounds and parts.
 * @param bytes the first 127 bytes or more
 * @throws BadBasemap with the fault as a sentence
 */
export function readHeader(bytes: Buffer): Header & { bytes: number } {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 7) !== 'PMTiles')
    throw new BadBasemap('It is not a PMTiles file: it does not start like one.')
  const version = bytes[7]
  if (version !== 3) throw new BadBasemap(`It is a PMTiles file of version ${version}; only version 3 can be read.`)
  const header = bytesToHeader(new Uint8Array(bytes.subarray(0, HEADER_BYTES)).buffer)
  if (header.tileType !== TileType.Mvt)
    throw new BadBasemap(`Its tiles are ${KINDS[header.tileType] ?? 'of an unknown type'}: only vector tiles (MVT) can be drawn.`)
  const { minLon, minLat, maxLon, maxLat, minZoom, maxZoom } = header
  if (minZoom > maxZoom || maxZoom > 22) throw new BadBasemap(`Its zooms are invalid: ${minZoom} to ${maxZoom}.`)
  if (
    !(minLon < maxLon && minLat < maxLat) ||
    Math.abs(minLon) > 180 ||
    Math.abs(maxLon) > 180 ||
    Math.abs(minLat) > 90 ||
    Math.abs(maxLat) > 90
  )
    throw new BadBasemap('Its bounds are invalid: west, south, east, north must enclose an area of the earth.')
  return { ...header, bytes: endOf(header) }
}

/** Returns the end of its last part: a shorter file is cut off. */
const endOf = (header: Header) =>
  Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  )

/**
 * Opens a PMTiles archive and checks its header, its metadata and a tile.
 * @param ranges the source of its bytes
 * @throws BadBasemap with the fault as a sentence; any error of `ranges`
 */
export async function openArchive(ranges: ByteRanges): Promise<BasemapArchive> {
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat, centerLon, centerLat, bytes } = readHeader(await ranges.read(0, HEADER_BYTES))
  const unread = new WeakSet<object>()
  /** Distinguishes a faulty archive from one that cannot be read now. */
  const asBad = (what: string) => (fault: object) => {
    throw unread.has(fault) ? fault : new BadBasemap(`${what} cannot be read: ${messageOf(fault)}.`)
  }
  // A SharedPromiseCache would keep a failed read of a directory, and its tiles would fail until a restart.
  const archive = new PMTiles(sourceOf(ranges, unread), new ResolvedValueCache(DIRECTORIES_KEPT, false, decompress), decompress)
  const tile = async (z: number, x: number, y: number) => {
    const found = await archive.getZxy(z, x, y)
    return found ? Buffer.from(found.data) : null
  }
  const { attribution } = checkMetadata(await archive.getMetadata().catch(asBad('Its metadata')))
  const middle = columnAndRow(centerLon || (minLon + maxLon) / 2, centerLat || (minLat + maxLat) / 2, minZoom)
  await tile(minZoom, ...middle).catch(asBad('A tile of it'))
  return { min_zoom: minZoom, max_zoom: maxZoom, bounds: [minLon, minLat, maxLon, maxLat], attribution, bytes, tile }
}

function checkMetadata(metadata: unknown): { attribution: string } {
  const { vector_layers, attribution }: { vector_layers?: unknown; attribution?: unknown } =
    typeof metadata === 'object' && metadata !== null ? metadata : {}
  const layers: unknown[] = Array.isArray(vector_layers) ? vector_layers.map((layer) => layer?.id) : []
  if (!layers.some((id) => DRAWN.includes(String(id))))
    throw new BadBasemap(`It has none of the layers that are drawn: ${DRAWN.join(', ')}, as in basemaps of Protomaps.`)
  // Browsers treat an attribution as markup, so it is reduced to plain text.
  const text =
    typeof attribution === 'string'
      ? attribution
          .replace(/<[^<>]*>/g, '')
          .replace(/[<>&]/g, '')
          .trim()
          .slice(0, 200)
      : ''
  return { attribution: text || OSM }
}

/** @param unread is given the faults of `ranges` */
function sourceOf(ranges: ByteRanges, unread: WeakSet<object>): Source {
  return {
    getKey: () => 'basemap',
    async getBytes(offset, length) {
      if (length > PART_MAX) throw new Error(TOO_LARGE)
      const bytes = await ranges.read(offset, length).catch((fault) => {
        unread.add(fault)
        throw fault
      })
      return { data: new Uint8Array(bytes).buffer }
    },
  }
}

const ungzip = promisify(gunzip)
const unbrotli = promisify(brotliDecompress)

/** Unpacks a part. A part that unpacks to more than PART_MAX is not part of a map. */
async function decompress(packed: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown) return packed
  const unpack = { [Compression.Gzip]: ungzip, [Compression.Brotli]: unbrotli, [Compression.Zstd]: null }[compression]
  if (!unpack) throw new Error('its compression is not supported')
  const bytes = await unpack(packed, { maxOutputLength: PART_MAX }).catch((fault: NodeJS.ErrnoException) => {
    throw fault.code === 'ERR_BUFFER_TOO_LARGE' ? new Error(TOO_LARGE) : fault
  })
  return new Uint8Array(bytes).buffer
}

function columnAndRow(longitude: number, latitude: number, z: number): [number, number] {
  const at = worldPoint(latitude, longitude) ?? { x: 0, y: 0 }
  const { x, y } = tileAt(at.x, at.y, z)
  return [x, y]
}
