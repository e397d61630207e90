import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Replaces a file, so that a power cut leaves the old text or the new one: the text is on the disk before it gets its name, and the
 * name before this returns.
 * @param {string} file
 * @param {string} text
 * @param {(draft: string) => void} [prepare] called with the written draft before it gets its name
 */
export function replaceDurably(file, text, prepare) {
  const draft = `${file}.draft`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  prepare?.(draft)
  renameDurably(draft, file)
}

/** Renames a file or a folder whose contents are on the disk. A name in a folder is durable only once the folder is synced. */
export function renameDurably(from, to) {
  renameSync(from, to)
  const folder = openFolder(path.dirname(to))
  if (folder === null) return
  try {
    fsyncSync(folder)
  } catch (fault) {
    if (!CANNOT_SYNC.includes(fault.code)) throw fault
  } finally {
    closeSync(folder)
  }
}

/** Some network file systems have no sync of folders. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP']

/** @returns {number | null} null on Windows, where a folder cannot be opened and renames need no sync */
function openFolder(folder) {
  try {
    return openSync(folder, 'r')
  } catch (fault) {
    if (process.platform === 'win32') return null
    throw fault
  }
}
