import { PassThrough, type Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { whileAdmitted } from '#rest/while-admitted.ts'

/**
 * Returns the pieces of an upload, separate from the connection: a reader that stops early destroys the stream between them, and a response
 * can still be sent.
 * @param recheck throws a refusal if the caller is no longer admitted
 * @param bytes the stream through which the pieces pass
 */
export function uploadOf(
  { raw }: Pick<FastifyRequest, 'raw'>,
  recheck: () => Promise<unknown>,
  bytes: Transform = new PassThrough(),
): AsyncGenerator<Buffer> {
  raw.once('error', (error) => bytes.destroy(error))
  return whileAdmitted<Buffer>(raw.pipe(bytes), recheck)
}

/**
 * Reads the rest of a refused upload and drops it: many senders read the response only when all is sent, and the connection would else
 * answer no further request. The time limit of refused bodies ends it.
 */
export function discardUpload({ raw }: Pick<FastifyRequest, 'raw'>): void {
  raw.unpipe()
  raw.resume()
}
