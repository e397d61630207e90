import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** What a picture must be: of so many cells, unpacking to no more than so many bytes. */
export interface PictureBounds {
  cells: number
  bytes: number
}

type Answer = { values: Uint8Array | Uint16Array } | { fault: string }

/**
 * The values of a PNG file, row by row. It is read in a thread of its own, for the agency's 24.5 million cells would keep
 * every answer waiting for half a second; what that takes of memory goes with the thread.
 * @throws Error what is wrong with the picture, as the end of a sentence
 */
export async function readPicture(png: Buffer, bounds: PictureBounds): Promise<Uint8Array | Uint16Array> {
  // Plain JavaScript, found by name from the source and from the bundle alike: a thread loads it as it is, whatever the process was started with.
  const worker = new Worker(createRequire(import.meta.url).resolve('#domain/archive/radar/picture-worker.mjs'), {
    workerData: { png, ...bounds },
    execArgv: [],
    env: {},
  })
  const answer = await new Promise<Answer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the reading of a picture ended without an answer')))
  }).finally(() => worker.terminate())
  if ('fault' in answer) throw new Error(answer.fault)
  return answer.values
}
