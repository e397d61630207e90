// Runs in a separate process: takes an image on standard input, and as arguments its format, its size, the exit status for bytes that are
// not such an image, and a user. Writes a new image made only from its pixels. Any other exit status than 0 and that is a fault of the machine.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import decodeJpeg, { init as initJpegReader } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegWriter } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPngReader } from '@jsquash/png/decode.js'
import encodePng, { init as initPngWriter } from '@jsquash/png/encode.js'
import decodeWebp, { init as initWebpReader } from '@jsquash/webp/decode.js'
import { drawnPart } from '#domain/engines/png-chunks.mjs'

const codecs = {
  png: { reader: [initPngReader, '@jsquash/png/codec/pkg/squoosh_png_bg.wasm'], read: (bytes) => decodePng(drawnPart(bytes).file) },
  // Keeps the orientation of the camera.
  jpeg: {
    reader: [initJpegReader, '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'],
    read: (bytes) => decodeJpeg(bytes, { preserveOrientation: true }),
  },
  webp: { reader: [initWebpReader, '@jsquash/webp/codec/dec/webp_dec.wasm'], read: (bytes) => decodeWebp(bytes) },
}
const writers = [
  [initJpegWriter, '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'],
  [initPngWriter, '@jsquash/png/codec/pkg/squoosh_png_bg.wasm'],
]
/** Of 100: there is no visible difference. */
const JPEG_QUALITY = 90

const [format, width, height, notAnImage, uid] = process.argv.slice(2)
const { reader, read } = codecs[format]
const { resolve } = createRequire(import.meta.url)
for (const [init, name] of [reader, ...writers]) await init(new WebAssembly.Module(readFileSync(resolve(name))))
const bytes = await buffer(process.stdin)
// Everything needed is in memory: from here on the process can run as a user who owns nothing.
if (uid !== undefined) becomeUser(Number(uid))

const redrawn = await redraw().catch(() => null)
if (redrawn === null) process.exitCode = Number(notAnImage)
else process.stdout.write(redrawn)

async function redraw() {
  const picture = await read(bytes)
  if (!hasStatedSize(picture)) throw new Error('the image has a different size than its header states')
  return written(picture)
}

/** Whether the size is the stated one; a rotated image has width and height swapped. */
function hasStatedSize(picture) {
  const stated = [Number(width), Number(height)]
  return [stated, stated.toReversed()].some(([wide, high]) => picture.width === wide && picture.height === high)
}

/** Encodes photographs as JPEG, since PNG would be many times as large; transparent images and drawings as lossless PNG. */
async function written(picture) {
  const isPhotograph = format === 'jpeg' || (format === 'webp' && isOpaque(picture.data))
  return Buffer.from(await (isPhotograph ? encodeJpeg(picture, { quality: JPEG_QUALITY, progressive: false }) : encodePng(picture)))
}

function isOpaque(rgba) {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha] !== 255) return false
  return true
}

function becomeUser(id) {
  try {
    process.setgroups([])
    process.setgid(id)
    process.setuid(id)
  } catch (fault) {
    // Root without the permission to change users.
    if (fault.code !== 'EPERM') throw fault
  }
}
