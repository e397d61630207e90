import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '#domain/kernel/fault.ts'

/** The document store: whole files under keys of letters, digits, '-', '/' and '.'. */
export interface Blobs {
  /** Writes the whole file or nothing. Answers its SHA-256, hex. */
  put(key: string, bytes: Buffer): Promise<string>
  /** Null where there is no such file. */
  get(key: string): Promise<Buffer | null>
  /** Removing what is not there is not an error. */
  remove(key: string): Promise<void>
  /**
   * Removes every file of a folder, and what a killed process left half-written there.
   * @param but the key of the one that stays
   */
  clear(folder: string, but?: string): Promise<void>
}

export function openBlobs(folder: string): Blobs {
  const at = (key: string) => {
    const file = path.join(folder, key)
    if (!file.startsWith(folder + path.sep)) throw new Error('a document key leaves its folder')
    return file
  }
  return {
    async put(key, bytes) {
      const file = at(key)
      const draft = `${file}.${randomUUID()}`
      await mkdir(path.dirname(file), { recursive: true })
      try {
        await writeFile(draft, bytes, { flush: true })
        await rename(draft, file)
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
    async remove(key) {
      await rm(at(key), { force: true })
    },
    async clear(within, but) {
      for (const name of await namesIn(at(within))) if (`${within}/${name}` !== but) await rm(at(`${within}/${name}`), { force: true })
    },
  }
}

/** A folder that is not there is empty. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return []
    throw fault
  }
}
