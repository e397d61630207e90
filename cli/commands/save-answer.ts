import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exits, failure, lost } from '../failure.ts'
import { unwritable } from '../file-fault.ts'
import { liveLine, plainLines, printLine } from '../format.ts'

/**
 * Returns the file to save to. A file that the command line does not name is not replaced: it may be what the last call saved.
 * @param out the option --out
 * @param name the name without that option
 * @throws Failure if there is a file of this name
 */
export function outputFile(out: string | undefined, name: string): string {
  if (out !== undefined) return out
  if (existsSync(name)) throw failure(exits.usage, `${name} exists: name another file with --out, or replace it with --out ${name}.`)
  return name
}

/**
 * Saves a response to a file, or to standard output for -. An incomplete file never gets the final name.
 * @throws Failure if it cannot be written, or if the response is cut off
 */
export async function saveAnswer(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  if (file === '-')
    return pipeline(answer, process.stdout.isTTY ? displayFilter() : new PassThrough(), process.stdout, { end: false }).catch((fault) =>
      refuse('standard output', fault),
    )
  await save(answer, file)
}

/** Removes terminal control sequences from text for display. Saved bytes are unchanged. */
function displayFilter(): Transform {
  const decoder = new TextDecoder()
  return new Transform({
    transform: (piece: Buffer, _encoding, passed) => passed(null, plainLines(decoder.decode(piece, { stream: true }))),
    flush: (passed) => passed(null, plainLines(decoder.decode())),
  })
}

async function save(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  const part = isSpecialFile(file) ? file : `${file}.part`
  const removePart = () => {
    if (part !== file) removeIfPossible(part)
  }
  const live = liveLine()
  let bytes = 0
  const byteCounter = new Transform({
    transform(piece: Buffer, _encoding, passed) {
      bytes += piece.length
      live.show(`${file}: ${sizeText(bytes)}`)
      passed(null, piece)
    },
  })
  // An interrupted command exits without reaching the catch.
  process.once('exit', removePart)
  try {
    await pipeline(answer, byteCounter, createWriteStream(part))
    if (part !== file) await rename(part, file)
  } catch (fault) {
    removePart()
    refuse(file, fault as NodeJS.ErrnoException)
  } finally {
    process.off('exit', removePart)
    live.clear()
  }
  printLine(`${file}: ${sizeText(bytes)}`)
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {}
}

/** Whether it exists and is not a regular file, such as /dev/null, which must not be replaced. */
function isSpecialFile(file: string): boolean {
  try {
    return !statSync(file).isFile()
  } catch {
    return false
  }
}

/** Throws the failure of a fault: of the file if a system call other than read failed, else of the response. */
function refuse(file: string, fault: NodeJS.ErrnoException): never {
  if (fault.syscall && fault.syscall !== 'read') throw unwritable(file, fault)
  throw lost(`The response of the service was cut off: ${fault.code ?? fault.message}`)
}

/** Sizes below 100 kB are in bytes, because "0.0 MB" would look empty. */
export const sizeText = (bytes: number) => (bytes < 1e5 ? `${bytes} bytes` : `${(bytes / 1e6).toFixed(1)} MB`)
