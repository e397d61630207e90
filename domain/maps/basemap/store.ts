import { randomUUID } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { byteFault } from '#domain/archive/files/decompress.ts'
import type { ByteRanges } from '#domain/engines/byte-ranges.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { validationFailed } from '#domain/kernel/validation.ts'
import { BadBasemap, HEADER_BYTES, openArchive, readHeader } from '#domain/maps/basemap/archive.ts'

/** The imported basemap, as stored in the document store. */
export interface StoredBasemap {
  /** Folder of its pieces, which are numbered from 0. */
  folder: string
  /** Bytes of all pieces. */
  bytes: number
  piece_bytes: number
  /** Own name of the file. */
  file_name: string
  imported_at: string
}

/** The result of an import. */
export interface BasemapImport extends Omit<StoredBasemap, 'folder' | 'piece_bytes'> {
  object: 'basemap'
  min_zoom: number
  max_zoom: number
  bounds: [number, number, number, number]
  attribution: string
}

type Store = Pick<App, 'blobs' | 'clock' | 'log'>

/** Each import has a folder of this name and an id. */
const FOLDERS = 'basemap-'
/** An import writes its pieces within minutes of each other. */
const UNUSED_AFTER_MS = DAY_MS
/** Names the current basemap; written once all of it is stored. */
const CURRENT = 'basemap/current'
/** Bytes per piece: a piece is stored and verified whole, as a document is, within the store's timeout. */
const PIECE_BYTES = 8 * 1024 * 1024

/**
 * Stores a PMTiles archive from a stream, in pieces, and makes it the basemap once it is complete and checked. The previous one is deleted.
 * A stream that fails or is refused leaves nothing behind, and the previous basemap stays.
 * @throws Refusal validation_failed with `file` for a file that is not PMTiles, has pictures as tiles, is cut off, or is longer than its
 *   header states, and for a transfer that ended early
 */
export async function importBasemap(app: Store, stream: AsyncIterable<Buffer>, file_name: string): Promise<BasemapImport> {
  const { stored, archive, before } = await storeChecked(app, stream, file_name)
  await makeCurrent(app, stored)
  if (before) await clearPieces(app, before.folder)
  const { bytes, imported_at } = stored
  const { min_zoom, max_zoom, bounds, attribution } = archive
  return { object: 'basemap', bytes, file_name, imported_at, min_zoom, max_zoom, bounds, attribution }
}

/** Stores and checks the pieces of an archive, which is not yet the current one; also returns the one that is. */
async function storeChecked(app: Store, stream: AsyncIterable<Buffer>, file_name: string) {
  const folder = `${FOLDERS}${randomUUID()}`
  try {
    const bytes = await storePieces(app, folder, stream)
    const stored: StoredBasemap = { folder, bytes, piece_bytes: PIECE_BYTES, file_name, imported_at: app.clock.now().toISOString() }
    return { stored, archive: await openArchive(storedRanges(app, stored)), before: await currentBasemap(app) }
  } catch (fault) {
    await clearPieces(app, folder)
    const message = fault instanceof BadBasemap ? fault.message : byteFault(fault)
    throw message === null ? fault : validationFailed({ file: [message] })
  }
}

/** A store may write the name and fail to confirm it, so the pieces are deleted only if the store still names another basemap. */
async function makeCurrent(app: Store, stored: StoredBasemap): Promise<void> {
  try {
    await app.blobs.put(CURRENT, Buffer.from(JSON.stringify(stored)))
  } catch (fault) {
    const current = await currentBasemap(app).catch(() => stored)
    if (current?.folder !== stored.folder) await clearPieces(app, stored.folder)
    throw fault
  }
}

/** Deletes pieces that no basemap needs. A failure is only logged: it changes nothing about the current basemap. */
async function clearPieces({ blobs, log }: Store, folder: string): Promise<void> {
  await blobs.clear(folder).catch((fault) => log.warn({ folder, reason: messageOf(fault) }, 'pieces of a basemap could not be deleted'))
}

async function storePieces({ blobs }: Store, folder: string, stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0
  let expected = 0
  let piece = 0
  let chunks: Buffer[] = []
  let bufferedBytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    // Checked before anything is stored: a wrong file is refused by its first bytes.
    if (bytes >= HEADER_BYTES && expected === 0) expected = readHeader(Buffer.concat([...chunks, chunk])).bytes
    if (expected > 0 && bytes > expected) throw new BadBasemap(`It is longer than the ${expected} bytes that its header states.`)
    chunks.push(chunk)
    bufferedBytes += chunk.length
    while (bufferedBytes >= PIECE_BYTES) {
      const buffer = Buffer.concat(chunks)
      await blobs.put(`${folder}/${piece++}`, buffer.subarray(0, PIECE_BYTES))
      chunks = [buffer.subarray(PIECE_BYTES)]
      bufferedBytes = buffer.length - PIECE_BYTES
    }
  }
  if (bytes < HEADER_BYTES) readHeader(Buffer.concat(chunks))
  if (bytes < expected) throw new BadBasemap(`It is cut off: ${bytes} of the ${expected} bytes that its header states are there.`)
  if (bufferedBytes > 0) await blobs.put(`${folder}/${piece}`, Buffer.concat(chunks))
  return bytes
}

/** Returns the basemap that was imported last; null if none was. */
export async function currentBasemap({ blobs }: Pick<App, 'blobs'>): Promise<StoredBasemap | null> {
  const found = await blobs.get(CURRENT)
  return found && JSON.parse(found.toString('utf8'))
}

/** Removes the imported basemap; returns false if there is none. */
export async function removeBasemap(app: Store): Promise<boolean> {
  const current = await currentBasemap(app)
  if (!current) return false
  await app.blobs.remove(CURRENT)
  await clearPieces(app, current.folder)
  return true
}

/** Deletes pieces that no basemap uses: a process was killed during its import, or two imports ended at once. */
export async function deleteUnusedPieces(app: Store): Promise<void> {
  const stale = await app.blobs.staleFolders(FOLDERS, new Date(app.clock.now().getTime() - UNUSED_AFTER_MS))
  const current = await currentBasemap(app)
  for (const folder of stale) if (folder !== current?.folder) await clearPieces(app, folder)
}

/** Reads parts of a stored basemap from its pieces. */
export function storedRanges({ blobs }: Pick<App, 'blobs'>, { folder, bytes, piece_bytes }: StoredBasemap): ByteRanges {
  return {
    async read(offset, length) {
      const end = Math.min(offset + length, bytes)
      const parts: Buffer[] = []
      for (let at = offset; at < end; ) {
        const piece = Math.floor(at / piece_bytes)
        const within = at - piece * piece_bytes
        const part = await blobs.read(`${folder}/${piece}`, within, Math.min(end - at, piece_bytes - within))
        if (!part || part.length === 0) throw new Error('a piece of the basemap is gone from the document store')
        parts.push(part)
        at += part.length
      }
      return Buffer.concat(parts)
    },
  }
}
