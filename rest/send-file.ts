import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseFault } from '#rest/refusals.ts'
import { whileAdmitted } from '#rest/while-admitted.ts'

/** A cached copy would not ask for the token, and a file is of the moment in which it is asked for. */
const CACHE = 'private, no-store'
/** A client that takes nothing for so long is gone, or means to hold the connection. */
const STALLED_MS = 60_000

interface FileHead {
  name: string
  extension: string
  media_type: string
  /** Stands in the name under which the file is kept. */
  day: Date
}

/**
 * Sends a file that is made while it is taken. What fails in its first piece is thrown, to be refused in words.
 * @param look throws the refusal of who may take the file no more, which ends it before it is complete
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  made: AsyncGenerator<string | Buffer>,
  look: () => Promise<unknown>,
  { name, extension, media_type, day }: FileHead,
): Promise<FastifyReply> {
  const pieces = whileAdmitted(made, look)
  const first = await pieces.next()
  const filename = `${name}-${day.toISOString().slice(0, 10)}.${extension}`
  reply.headers({ 'content-disposition': `attachment; filename="${filename}"`, 'cache-control': CACHE }).type(media_type)
  if (request.method === 'HEAD') {
    await pieces.return(undefined)
    return reply.send()
  }
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
  // As bytes, of which little is held: a stream of objects would ask for sixteen pieces ahead of the client.
  return reply.send(Readable.from(whole(first, pieces, request), { objectMode: false }))
}

/**
 * The file from its first piece on. It is a stream, which asks for a piece when the one before was taken. A fault in its middle ends
 * the connection before the file is complete, which no client takes for its end.
 */
async function* whole<Piece>(
  first: IteratorResult<Piece, void>,
  pieces: AsyncGenerator<Piece>,
  request: FastifyRequest,
): AsyncGenerator<Piece> {
  try {
    if (first.done) return
    yield first.value
    yield* pieces
  } catch (error) {
    refuseFault(error, request, 'an export broke off')
    throw error
  } finally {
    await pieces.return(undefined)
  }
}
