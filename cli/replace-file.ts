import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a text beside a file and puts it in the file's place: nobody ever finds half of it.
 * @param mode whom it is for, such as 0o600; whom the folder's new files are for where nothing is given
 * @throws the system's error where it cannot be written: the file is as it was
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  const written = `${file}.${process.pid}`
  try {
    writeFileSync(written, text, { mode })
    // Where a process that was killed left one, its mode stayed.
    if (mode !== undefined) chmodSync(written, mode)
    renameSync(written, file)
  } catch (fault) {
    rmSync(written, { force: true })
    throw fault
  }
}
