import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Replaces a file atomically: writes the text beside it and renames it.
 * @param mode permission bits, such as 0o600; by default those of new files in the folder
 * @throws the system's error if it cannot be written; the file is then unchanged
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  const written = `${file}.${process.pid}`
  try {
    // Without this, a power cut could leave the name with an empty file.
    writeFileSync(written, text, { mode, flush: true })
    // A file left by a killed process keeps its old mode, so the mode is set again.
    if (mode !== undefined) chmodSync(written, mode)
    renameSync(written, file)
  } catch (fault) {
    rmSync(written, { force: true })
    throw fault
  }
}
