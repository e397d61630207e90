import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Blobs } from '#domain/engines/blobs.ts'
import { fileRanges } from '#domain/engines/byte-ranges.ts'
import { codeOf } from '#domain/kernel/fault.ts'

/** Opens the document store in a folder that all processes share. */
export function openFolder(folder: string): Blobs {
  const at = (key: string) => {
    const file = path.join(folder, key)
    if (!file.startsWith(folder + path.sep)) throw new Error('a document key is outside its folder')
    return file
  }
  return {
    async put(key, bytes) {
      const file = at(key)
      const draft = `${file}.${randomUUID()}`
      await makeFolder(path.dirname(file))
      try {
        await writeFile(draft, bytes, { flush: true })
        await rename(draft, file)
        await syncFolder(path.dirname(file))
      } catch (fault) {
        await rm(draft, { force: true })
        throw fault
      }
      return createHash('sha256').update(bytes).digest('hex')
    },
    async get(key) {
      try {
        return await readFile(at(key))
      } catch (fault) {
        if (codeOf(fault) === 'ENOENT') return null
        throw fault
      }
    },
    async read(key, offset, length) {
      try {
        return await fileRanges(at(key)).read(offset, length)
      } catch (fault) {
        if (codeOf(fault) === 'ENOENT') return null
        throw fault
      }
    },
    async remove(key) {
      await rm(at(key), { force: true })
    },
    async clear(within, but) {
      for (const name of await namesIn(at(within))) if (`${within}/${name}` !== but) await rm(at(`${within}/${name}`), { force: true })
    },
    async staleFolders(prefix, since) {
      const stale: string[] = []
      for (const name of await namesIn(folder)) {
        if (!name.startsWith(prefix)) continue
        const written = await writtenAt(at(name))
        if (written.length > 0 && written.every((moment) => moment < since)) stale.push(name)
      }
      return stale
    },
    link: async () => null,
    async probe() {
      // A folder's permissions do not reveal a read-only disk; a write does.
      const file = at(`.${randomUUID()}`)
      await mkdir(folder, { recursive: true })
      await writeFile(file, '')
      await rm(file, { force: true })
    },
    close: () => {},
  }
}

/** Returns when each file of a folder was written, as far as the files are still there. */
async function writtenAt(within: string): Promise<Date[]> {
  const found = await Promise.all((await namesIn(within)).map((name) => stat(path.join(within, name)).catch(unlessMissing)))
  return found.flatMap((file) => (file ? [file.mtime] : []))
}

/** Turns the error of a missing file into null. */
export function unlessMissing(fault: unknown): null {
  if (codeOf(fault) === 'ENOENT') return null
  throw fault
}

/** Lists a folder; a missing folder is empty. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return []
    throw fault
  }
}

/** Makes a folder and those above it, so that their names survive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  const above = path.dirname(path.resolve(first))
  const names = path.relative(above, path.resolve(folder)).split(path.sep)
  for (const [nth] of names.entries()) await syncFolder(path.join(above, ...names.slice(0, nth)))
}

/** A name in a folder is durable only once the folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } catch (fault) {
    if (!CANNOT_SYNC.includes(codeOf(fault) ?? '')) throw fault
  } finally {
    await handle.close()
  }
}

/** Some network file systems sync files only. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP']
