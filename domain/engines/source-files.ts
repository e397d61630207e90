import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Blobs } from '#domain/engines/blobs.ts'
import { openBucket } from '#domain/engines/bucket.ts'
import { makeFolder, namesIn, syncFolder, unlessMissing } from '#domain/engines/folder.ts'
import type { Config } from '#domain/kernel/config.ts'
import { codeOf } from '#domain/kernel/fault.ts'

/** The agencies' files as fetched, each stored once under its SHA-256. */
export interface SourceFiles {
  /** Starts a file whose hash is not known yet. */
  draft(): Promise<FileDraft>
  /** Returns its bytes as a stream; null if it is not stored. */
  read(sha256: string): Promise<AsyncIterable<Buffer> | null>
  /** Removing a missing file is not an error. */
  remove(sha256: string): Promise<void>
  /** Removes drafts started before a time, which killed processes left behind. */
  clearDrafts(started_before: Date): Promise<void>
  close(): void
}

/** A file on its way into the store: nobody can read it until `keep`. */
export interface FileDraft {
  add(piece: Buffer): Promise<void>
  /** Stores all of it or nothing, even if the process is killed; an existing file stays. */
  keep(sha256: string): Promise<void>
  /** Discards it; does nothing after `keep`. */
  drop(): Promise<void>
}

/** Opens the store of the agencies' files, a folder or a bucket; null if they are not kept. */
export function openSourceFiles({ archive_files, home }: Pick<Config, 'archive_files' | 'home'>): SourceFiles | null {
  if (archive_files === null) return null
  if (typeof archive_files === 'string') return openSourceFolder(archive_files)
  return openSourceBucket(openBucket(archive_files, "store of the agencies' files"), path.join(home, 'arriving'))
}

/** Keeps files in a folder as `ab/abcdef...`, and drafts in its subfolder `arriving/`. */
function openSourceFolder(folder: string): SourceFiles {
  const arriving = path.join(folder, 'arriving')
  const at = (sha256: string) => path.join(folder, keyOf(sha256))
  return {
    draft: () =>
      openDraft(arriving, async (draft, sha256) => {
        const file = at(sha256)
        await makeFolder(path.dirname(file))
        await rename(draft, file)
        await syncFolder(path.dirname(file))
      }),
    async read(sha256) {
      try {
        return (await open(at(sha256))).createReadStream()
      } catch (fault) {
        if (codeOf(fault) === 'ENOENT') return null
        throw fault
      }
    },
    async remove(sha256) {
      await rm(at(sha256), { force: true })
    },
    clearDrafts: (started_before) => clearDrafts(arriving, started_before),
    close: () => {},
  }
}

/**
 * Keeps files in a bucket under the same names. Each is sent whole once its hash is known: the agencies' files have some ten megabytes.
 * @param arriving local folder for drafts
 */
function openSourceBucket(bucket: Blobs, arriving: string): SourceFiles {
  return {
    draft: () =>
      openDraft(arriving, async (draft, sha256) => {
        await bucket.put(keyOf(sha256), await readFile(draft))
        await rm(draft)
      }),
    async read(sha256) {
      const bytes = await bucket.get(keyOf(sha256))
      return bytes && piecesOf(bytes)
    },
    remove: (sha256) => bucket.remove(keyOf(sha256)),
    clearDrafts: (started_before) => clearDrafts(arriving, started_before),
    close: () => bucket.close(),
  }
}

function keyOf(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a kept file is named by its SHA-256')
  return `${sha256.slice(0, 2)}/${sha256}`
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Opens a draft in a folder; `store` moves the complete, synced file to its final place. */
async function openDraft(arriving: string, store: (draft: string, sha256: string) => Promise<void>): Promise<FileDraft> {
  const draft = path.join(arriving, randomUUID())
  await mkdir(arriving, { recursive: true })
  const handle = await open(draft, 'wx')
  let is_open = true
  const close = async () => {
    if (is_open) await handle.close()
    is_open = false
  }
  return {
    async add(piece) {
      await handle.appendFile(piece)
    },
    async keep(sha256) {
      await handle.sync()
      await close()
      await store(draft, sha256)
    },
    async drop() {
      await close()
      await rm(draft, { force: true })
    },
  }
}

async function clearDrafts(arriving: string, started_before: Date): Promise<void> {
  for (const name of await namesIn(arriving)) {
    const draft = path.join(arriving, name)
    // Its import may finish meanwhile.
    const found = await stat(draft).catch(unlessMissing)
    if (found && found.mtime < started_before) await rm(draft, { force: true })
  }
}
