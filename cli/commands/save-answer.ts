import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exits, failure, lost } from '../failure.ts'
import { liveLine, printLine } from '../format.ts'

/** Puts an answer into a file, or to standard output for -. A file that is not whole never stands under its name. */
export async function saveAnswer(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  if (file === '-') return pipeline(answer, process.stdout, { end: false }).catch(brokenOff)
  await save(answer, file)
}

async function save(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  const part = `${file}.part`
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
    await pipeline(answer, counted, createWriteStream(part)).catch(brokenOff)
    await rename(part, file)
  } catch (fault) {
    await rm(part, { force: true })
    throw fault
  } finally {
    live.clear()
  }
  printLine(`${file}: ${sizeText(bytes)}`)
}

function brokenOff(fault: NodeJS.ErrnoException): never {
  if (fault.syscall) throw failure(exits.failure, fault.message)
  throw lost(`The service broke off its answer: ${fault.code ?? fault.message}`)
}

/** Below 100 kB in bytes: "0.0 MB" would read as nothing. */
export const sizeText = (bytes: number) => (bytes < 1e5 ? `${bytes} bytes` : `${(bytes / 1e6).toFixed(1)} MB`)
