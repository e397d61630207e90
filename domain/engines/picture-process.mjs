// Runs in a process of its own: takes a picture on its standard input, its format, size and a user as arguments, and answers
// another that is made from its pixels alone. Exit code 0 says that it did; every other end, that the bytes are no such picture.
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
  // As the camera was held.
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
/** Of 100: the eye finds no difference. */
const JPEG_QUALITY = 90

const [format, width, height, uid] = process.argv.slice(2)
const { reader, read } = codecs[format]
const { resolve } = createRequire(import.meta.url)
for (const [init, name] of [reader, ...writers]) await init(new WebAssembly.Module(readFileSync(resolve(name))))
const bytes = await buffer(process.stdin)
// All that is needed is in memory: from here on it may be a user who owns nothing.
if (uid !== undefined) becomeUser(Number(uid))

const picture = await read(bytes)
if (!hasStatedSize(picture)) throw new Error('the picture has another size than it states')
process.stdout.write(await written(picture))

/** A picture that was taken turned is as wide as it was high. */
function hasStatedSize(picture) {
  const stated = [Number(width), Number(height)]
  return [stated, stated.toReversed()].some(([wide, high]) => picture.width === wide && picture.height === high)
}

/** A photograph stays one, for as PNG it would be many times as long; what may be seen through, and drawings, lose nothing. */
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
    // A root that was denied to change users.
    if (fault.code !== 'EPERM') throw fault
  }
}
