// Runs in a worker thread: receives a PNG file with one value per cell and its size limits, and posts {values} or {fault}.
import { parentPort, workerData } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { decode } from 'fast-png'
import { drawnPart } from '#domain/engines/png-chunks.mjs'

const { png, bytes, cells } = workerData
const answer = valuesOf(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
parentPort?.postMessage(answer, answer.values ? [answer.values.buffer] : [])

function valuesOf(file) {
  const drawn = drawnPart(file)
  if (!unpacksWithin(drawn.packed)) return { fault: 'does not unpack to its stated size' }
  try {
    const { data, channels } = decode(drawn.file)
    return channels === 1 && data.length === cells ? { values: data } : { fault: 'is not one value a cell' }
  } catch (fault) {
    return { fault: `cannot be read (${fault.message})` }
  }
}

/** Inflates the picture once under a hard limit: the PNG library itself would inflate a decompression bomb to the end. */
function unpacksWithin(packed) {
  try {
    inflateSync(packed, { maxOutputLength: bytes })
    return true
  } catch {
    return false
  }
}
