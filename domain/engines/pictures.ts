import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { serviceIsRoot } from '#domain/engines/browser-confinement.ts'
import type { Log } from '#domain/engines/log.ts'
import { pictureSize } from '#domain/engines/picture-size.ts'
import { fairConcurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import type { Config } from '#domain/kernel/config.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { Refusal, retryLater } from '#domain/kernel/refusal.ts'

/** Makes uploaded images safe: the result is redrawn from their pixels and contains nothing else of the original. */
export interface Pictures {
  /**
   * Redraws an image. Recent results are cached.
   * @param requester id of the team or the document that the image is for: each has one image processed at a time
   * @throws PictureRefused whose message completes a sentence that starts with the image's name; Refusal `rate_limited` if too many
   *   images of the requester are waiting, `engine_unavailable` if this machine could not process it: the image may be valid
   */
  remake(bytes: Buffer, requester: string): Promise<Buffer>
}

/** The bytes are not an image that a document can show. */
export class PictureRefused extends Error {}

/** Width times height. A square of a page's width at 300 dots an inch has 6 million; images in documents are one to three inches wide. */
const PIXELS_MAX = 4_194_304
/** One side: nothing longer is meant to be looked at. */
const SIDE_MAX = 8_192
/** A photograph with the maximum of pixels takes some 350 MB to decode and encode. */
const MEMORY_MB = 512
/** From Node.js 23 on, V8 reserves memory for code at startup, which counts towards the limit and is otherwise unused. */
const RESERVED_MB = Number.parseInt(process.versions.node, 10) > 22 ? 512 : 0
/** A photograph with the maximum of pixels takes 3 s on an idle CPU. */
const DEADLINE_MS = 30_000
const ANSWER_MAX_BYTES = 24 * 1024 * 1024
/** Images processed at once: each has its own process and memory limit. */
const AT_ONCE = 2
/** Images of one requester that may wait: a document has three in all. */
const WAITING_MAX = 10
const limited = fairConcurrencyLimit({ max: AT_ONCE, waiting_max: WAITING_MAX })
/** What a process says about its end: enough for the first lines of a stack trace. */
const STDERR_MAX_CHARS = 2000
/** Seconds after which an image may be sent again. A machine that is overloaded needs at least as long as one image may take. */
const RETRY_AFTER_S = 30
/** Cached results: the logos of the teams whose documents are being printed. */
const KEPT = 20

/** Decodes each image in a separate process with an empty environment and limits: a malicious image harms only that process. */
export function openPictures({ browser_uid }: Pick<Config, 'browser_uid'>, log: Pick<Log, 'error'>): Pictures {
  const uid = serviceIsRoot() && process.platform === 'linux' ? browser_uid : null
  const kept = new Map<string, Promise<Buffer>>()
  return {
    remake(bytes, requester) {
      const key = createHash('sha256').update(bytes).digest('hex')
      const known = kept.get(key)
      if (known) return known
      const remade = remake(bytes, requester, uid).catch((fault) => {
        if (fault instanceof PictureRefused || fault instanceof Refusal) throw fault
        log.error({ reason: messageOf(fault) }, 'an image could not be processed')
        throw retryLater('engine_unavailable', 'Images cannot be processed at the moment.', RETRY_AFTER_S)
      })
      kept.set(key, remade)
      remade.catch(() => kept.delete(key))
      const oldest = kept.keys().next().value
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
      return remade
    },
  }
}

async function remake(bytes: Buffer, requester: string, uid: number | null): Promise<Buffer> {
  const stated = pictureSize(bytes)
  if (!stated) throw new PictureRefused('must be a PNG, JPEG or WebP image')
  const { format, width, height } = stated
  if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    throw new PictureRefused(
      `has ${width} x ${height} pixels; the maximum is ${SIDE_MAX} a side and ${PIXELS_MAX / 1_048_576} million in total`,
    )
  return limited(requester, () => redraw(bytes, [format, width, height, NOT_AN_IMAGE, ...(uid === null ? [] : [uid])].map(String)))
}

/** This name resolves in the source and in the bundle. */
const PROGRAM = '#domain/engines/picture-process.mjs'

/** Exit status of the process for bytes that are not an image of the stated type and size: EX_DATAERR of sysexits.h. */
const NOT_AN_IMAGE = 65
/** Signals by which a process ends itself, as one does that reaches its memory limit: the image needed too much. */
const OWN_CRASH: ReadonlySet<NodeJS.Signals | null> = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'])

/** @throws PictureRefused for a fault of the image; any other error is one of this machine */
function redraw(bytes: Buffer, args: string[]): Promise<Buffer> {
  const program = createRequire(import.meta.url).resolve(PROGRAM)
  const bounded = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"'
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', String((MEMORY_MB + RESERVED_MB) * 1024), process.execPath, program, ...args], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // Without a process there may be no streams; the error follows.
    if (child.pid === undefined) return
    const pieces: Buffer[] = []
    let length = 0
    child.stdout.on('data', (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
      if (length > ANSWER_MAX_BYTES) child.kill('SIGKILL')
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, STDERR_MAX_CHARS)
    })
    // A process that exited early did not read everything; its exit is reported instead.
    child.stdin.on('error', () => {})
    child.stdin.end(bytes)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(pieces))
      else if (code === NOT_AN_IMAGE || length > ANSWER_MAX_BYTES || OWN_CRASH.has(signal))
        reject(new PictureRefused('cannot be read as an image of its type'))
      else reject(new Error(`its process ended with ${signal ?? `status ${code}`}: ${said.trim() || 'it said nothing'}`))
    })
  })
}
