import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { lost } from '../failure.ts'
import { unwritable } from '../file-fault.ts'
import { liveLine, plainLines, printLine } from '../format.ts'

/**
 * Puts an answer into a file, or to standard output for -. A file that is not whole never stands under its name.
 * @throws Failure where it cannot be written, or the service broke off
 */
export async function saveAnswer(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  if (file === '-')
    return pipeline(answer, process.stdout.isTTY ? shownOnly() : new PassThrough(), process.stdout, { end: false }).catch((fault) =>
      refuse('standard output', fault),
    )
  await save(answer, file)
}

/** The bytes as text without what a terminal acts on: what somebody looks at is not what is saved. */
function shownOnly(): Transform {
  const decoder = new TextDecoder()
  return new Transform({
    transform: (piece: Buffer, _encoding, passed) => passed(null, plainLines(decoder.decode(piece, { stream: true }))),
    flush: (passed) => passed(null, plainLines(decoder.decode())),
  })
}

async function save(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  const part = isTakenAsItIs(file) ? file : `${file}.part`
  const live = liveLine()
  let bytes = 0
  const counted = new Transform({
    transform(piece: Buffer, _encoding, passed) {
      bytes += piece.length
      live.show(`${file}: ${sizeText(bytes)}`)
      passed(null, piece)
    },
  })
  try {
    await pipeline(answer, counted, createWriteStream(part))
    if (part !== file) await rename(part, file)
  } catch (fault) {
    if (part !== file) await rm(part, { force: true }).catch(() => {})
    refuse(file, fault as NodeJS.ErrnoException)
  } finally {
    live.clear()
  }
  printLine(`${file}: ${sizeText(bytes)}`)
}

/** Whether it is there and no plain file, as /dev/null is: nothing may take its place. */
function isTakenAsItIs(file: string): boolean {
  try {
    return !statSync(file).isFile()
  } catch {
    return false
  }
}

/** An answer is read, and nothing else: the system's other faults are of the file. */
function refuse(file: string, fault: NodeJS.ErrnoException): never {
  if (fault.syscall && fault.syscall !== 'read') throw unwritable(file, fault)
  throw lost(`The response of the service was cut off: ${fault.code ?? fault.message}`)
}

/** Below 100 kB in bytes: "0.0 MB" would read as nothing. */
export const sizeText = (bytes: number) => (bytes < 1e5 ? `${bytes} bytes` : `${(bytes / 1e6).toFixed(1)} MB`)
