// Runs in a worker thread: takes a PNG file of one value a cell and what it may unpack to, answers {values} or {fault}.
import { parentPort, workerData } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { decode } from 'fast-png'

const { png, bytes, cells } = workerData
const answer = valuesOf(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
parentPort?.postMessage(answer, answer.values ? [answer.values.buffer] : [])

function valuesOf(file) {
  if (!unpacksWithin(file)) return { fault: 'does not unpack to its stated size' }
  try {
    const { data, channels } = decode(file)
    return channels === 1 && data.length === cells ? { values: data } : { fault: 'is not one value a cell' }
  } catch (fault) {
    return { fault: `cannot be read (${fault.message})` }
  }
}

/** Inflates the picture once under a hard limit: the PNG library itself would follow a bomb to the end. */
function unpacksWithin(file) {
  const parts = []
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  }
  try {
    inflateSync(Buffer.concat(parts), { maxOutputLength: bytes })
    return true
  } catch {
    return false
  }
}
