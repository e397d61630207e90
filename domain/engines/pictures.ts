import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { serviceIsRoot } from '#domain/engines/browser-confinement.ts'
import { pictureSize } from '#domain/engines/picture-size.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import type { Config } from '#domain/kernel/config.ts'

/** Makes pictures of strangers harmless: what comes out is drawn anew from their pixels, and holds nothing else that they held. */
export interface Pictures {
  /**
   * Another picture of the same pixels. What comes twice in a row is made once.
   * @throws PictureRefused saying why, as the end of a sentence that begins with its name
   */
  remake(bytes: Buffer): Promise<Buffer>
}

/** Bytes that are no picture that a document shows. */
export class PictureRefused extends Error {}

/** Of width times height: a page's width at 300 dots an inch, squared, is 6; what documents show is an inch or three wide. */
const PIXELS_MAX = 4_194_304
/** Of one side: what is longer is no picture to look at. */
const SIDE_MAX = 8_192
/** A photograph of the most pixels takes some 350 MB to read and write. */
const MEMORY_MB = 512
/** From Node.js 23 on V8 reserves room for its code as it starts: it counts, and holds nothing else. */
const RESERVED_MB = Number.parseInt(process.versions.node, 10) > 22 ? 512 : 0
/** A photograph of the most pixels takes 3 s of a free processor. */
const DEADLINE_MS = 30_000
const ANSWER_MAX_BYTES = 24 * 1024 * 1024
/** Of pictures at once: each has a process, and the memory that it may take. */
const AT_ONCE = 2
const limited = concurrencyLimit(AT_ONCE)
/** Of remade pictures: the marks of the teams whose documents are printed now. */
const KEPT = 20

/** Each picture is read in a process of its own, with an empty environment and bounds: one that is made to harm costs itself alone. */
export function openPictures({ browser_uid }: Pick<Config, 'browser_uid'>): Pictures {
  const uid = serviceIsRoot() && process.platform === 'linux' ? browser_uid : null
  const kept = new Map<string, Promise<Buffer>>()
  return {
    remake(bytes) {
      const key = createHash('sha256').update(bytes).digest('hex')
      const known = kept.get(key)
      if (known) return known
      const remade = remake(bytes, uid)
      kept.set(key, remade)
      remade.catch(() => kept.delete(key))
      const oldest = kept.keys().next().value
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
      return remade
    },
  }
}

async function remake(bytes: Buffer, uid: number | null): Promise<Buffer> {
  const stated = pictureSize(bytes)
  if (!stated) throw new PictureRefused('must be a PNG, JPEG or WebP image')
  const { format, width, height } = stated
  if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    throw new PictureRefused(
      `has ${width} x ${height} pixels: at most ${SIDE_MAX} a side and ${PIXELS_MAX / 1_048_576} million in all are taken`,
    )
  return limited('picture', () => redraw(bytes, [format, String(width), String(height), ...(uid === null ? [] : [String(uid)])]))
}

/** Found by name from the source and from the bundle alike. */
const PROGRAM = '#domain/engines/picture-process.mjs'

function redraw(bytes: Buffer, args: string[]): Promise<Buffer> {
  const program = createRequire(import.meta.url).resolve(PROGRAM)
  const bounded = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"'
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', String((MEMORY_MB + RESERVED_MB) * 1024), process.execPath, program, ...args], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  })
  const pieces: Buffer[] = []
  let length = 0
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
    if (length > ANSWER_MAX_BYTES) child.kill('SIGKILL')
  })
  // One that ended early has not read all: its end is what is reported.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(pieces))
      else reject(new PictureRefused('cannot be read as the image that it says it is'))
    })
  })
}
