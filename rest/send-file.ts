import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseFault } from '#rest/refusals.ts'
import { whileAdmitted } from '#rest/while-admitted.ts'

/** A cached copy would bypass the token check, and a file reflects the time of its request. */
const CACHE = 'private, no-store'

interface FileHead {
  name: string
  extension: string
  media_type: string
  /** Part of the file name. */
  day: Date
}

/**
 * Sends a file that is generated while the client reads it. A fault in the first piece is thrown, so that it gets an error body.
 * @param recheck throws a refusal if the caller may no longer read the file; the file then ends incomplete
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  content: AsyncGenerator<string | Buffer>,
  recheck: () => Promise<unknown>,
  { name, extension, media_type, day }: FileHead,
): Promise<FastifyReply> {
  const pieces = whileAdmitted(content, recheck)
  const first = await pieces.next()
  const filename = `${name}-${day.toISOString().slice(0, 10)}.${extension}`
  reply.headers({ 'content-disposition': `attachment; filename="${filename}"`, 'cache-control': CACHE }).type(media_type)
  if (request.method === 'HEAD') {
    await pieces.return(undefined)
    return reply.send()
  }
  // A byte stream buffers little; an object stream would read sixteen pieces ahead of the client.
  return reply.send(Readable.from(allPieces(first, pieces, request), { objectMode: false }))
}

/**
 * Yields the whole file, starting with the first piece. The stream requests a piece only after the client has read the previous one. A
 * later fault closes the connection before the file is complete, so that no client takes it for the end.
 */
async function* allPieces<Piece>(
  first: IteratorResult<Piece, void>,
  pieces: AsyncGenerator<Piece>,
  request: FastifyRequest,
): AsyncGenerator<Piece> {
  try {
    if (first.done) return
    yield first.value
    yield* pieces
  } catch (error) {
    refuseFault(error, request, 'an export failed midway')
    throw error
  } finally {
    await pieces.return(undefined)
  }
}
