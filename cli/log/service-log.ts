import { ANSWER_MS, chunksOf, send } from '../api.ts'
import { exits, failure } from '../failure.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { HASH_BYTES } from './merkle.ts'

/** Larger than a checkpoint with many cosignatures, and than a tile. */
const ANSWER_BYTES_MAX = 64 * 1024

/** Reads the current checkpoint of a service's log. @throws Failure if the service is unreachable, has no log, or returns an invalid one */
export async function fetchCheckpoint(url: string): Promise<Checkpoint> {
  const bytes = await get(url, '/log/checkpoint')
  try {
    return readCheckpoint(bytes.toString('utf8'))
  } catch (fault) {
    throw failure(exits.failure, `The log of ${url} cannot be read: ${(fault as Error).message}.`)
  }
}

/** Reads a tile of a service's log. @throws Failure if it does not exist or has the wrong width */
export async function fetchTile(url: string, level: number, index: number, width: number): Promise<Buffer> {
  const digits = String(index)
  const elements = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) as string[]
  const named = elements.map((element, at) => (at < elements.length - 1 ? `x${element}` : element)).join('/')
  const path = `/log/tile/${level}/${named}`
  const bytes = await get(url, width < TILE_WIDTH ? `${path}.p/${width}` : path)
  if (bytes.length !== width * HASH_BYTES) throw failure(exits.failure, `${url}${path} is not a tile of ${width} hashes.`)
  return bytes
}
const TILE_WIDTH = 256

async function get(url: string, path: string): Promise<Buffer> {
  const { answer } = await send(url, 'GET', path, { accept: '*/*' }, null, ANSWER_MS)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of chunksOf(answer)) {
    length += chunk.length
    if (length > ANSWER_BYTES_MAX) {
      answer.destroy()
      throw failure(exits.failure, `The response of ${url}${path} is too long for a log.`)
    }
    chunks.push(chunk)
  }
  if (answer.statusCode === 404) throw failure(exits.not_found, `${url} has no log, or an empty one: ${path} does not exist.`)
  if (answer.statusCode !== 200) throw failure(exits.failure, `${url}${path} returned ${answer.statusCode}.`)
  return Buffer.concat(chunks)
}
