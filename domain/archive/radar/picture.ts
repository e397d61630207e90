import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Limits of a picture: its number of cells, and the most bytes it may inflate to. */
export interface PictureBounds {
  cells: number
  bytes: number
}

type Answer = { values: Uint8Array | Uint16Array } | { fault: string }

/**
 * Returns the values of a PNG file, row by row. It runs in a worker thread, because the agency's 24.5 million cells would
 * delay every response by half a second. The thread's memory is freed with it.
 * @throws Error naming the fault of the picture, as the end of a sentence
 */
export async function readPicture(png: Buffer, bounds: PictureBounds): Promise<Uint8Array | Uint16Array> {
  // Plain JavaScript, resolved by name from the source and from the bundle: a thread loads it as it is, whatever flags the
  // process was started with.
  const worker = new Worker(createRequire(import.meta.url).resolve('#domain/archive/radar/picture-worker.mjs'), {
    workerData: { png, ...bounds },
    execArgv: [],
    env: {},
  })
  const answer = await new Promise<Answer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the picture worker exited without a result')))
  }).finally(() => worker.terminate())
  if ('fault' in answer) throw new Error(answer.fault)
  return answer.values
}
