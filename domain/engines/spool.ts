import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

/**
 * Writes a stream to a file in the folder, and returns the file as a stream that can be read at any speed. The file has no
 * name once it is open: it is gone when its stream ends or is destroyed, and when the process is killed.
 * @throws any error of the bytes
 */
export async function spool(bytes: AsyncIterable<Buffer>, folder: string): Promise<Readable> {
  await mkdir(folder, { recursive: true })
  const name = path.join(folder, randomUUID())
  const file = await open(name, 'wx+')
  try {
    await rm(name)
    for await (const piece of bytes) await file.appendFile(piece)
  } catch (fault) {
    await file.close()
    throw fault
  }
  return file.createReadStream({ start: 0 })
}
