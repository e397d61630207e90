import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { namesIn } from '#domain/engines/folder.ts'
import { codeOf } from '#domain/kernel/fault.ts'

/** The agencies' files as they were fetched, each once, under the SHA-256 of its bytes. */
export interface SourceFiles {
  /** Takes a file whose hash is not known yet. */
  draft(): Promise<FileDraft>
  /** Its bytes from the first on; null where it is not kept. */
  read(sha256: string): Promise<AsyncIterable<Buffer> | null>
  /** Removing what is not there is not an error. */
  remove(sha256: string): Promise<void>
  /** Removes drafts that were begun before and never ended: of processes that were killed. */
  clearDrafts(begun_before: Date): Promise<void>
}

/** A file on its way into the store: nobody reads it until it is kept. */
export interface FileDraft {
  add(piece: Buffer): Promise<void>
  /** Keeps all of it or nothing, also where the process is killed; a file that is kept already stays. */
  keep(sha256: string): Promise<void>
  /** Lets it go; nothing after `keep`. */
  drop(): Promise<void>
}

/** Keeps files in a folder: `ab/abcdef...`, and what is still arriving under `arriving/`. */
export function openSourceFiles(folder: string): SourceFiles {
  const arriving = path.join(folder, 'arriving')
  const at = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a kept file is named by its SHA-256')
    return path.join(folder, sha256.slice(0, 2), sha256)
  }
  return {
    async draft() {
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
          const file = at(sha256)
          await mkdir(path.dirname(file), { recursive: true })
          await rename(draft, file)
          await syncFolder(path.dirname(file))
        },
        async drop() {
          await close()
          await rm(draft, { force: true })
        },
      }
    },
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
    async clearDrafts(begun_before) {
      for (const name of await namesIn(arriving)) {
        const draft = path.join(arriving, name)
        if ((await stat(draft)).mtime < begun_before) await rm(draft, { force: true })
      }
    },
  }
}

/** A name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
