/** Who asks is looked at again so often while a file goes on: whoever is put out meanwhile is out within this. */
const LOOK_EVERY_MS = 1000

/**
 * The pieces of a file that is sent or taken, for as long as whoever asks is admitted: they are looked at again before what comes a second
 * after the last look, the end too.
 * @param look throws the refusal of who is admitted no more, which ends the pieces
 */
export async function* whileAdmitted<Piece>(pieces: AsyncIterable<Piece>, look: () => Promise<unknown>): AsyncGenerator<Piece> {
  const next = pieces[Symbol.asyncIterator]()
  let looked = performance.now()
  try {
    for (;;) {
      const { done, value } = await next.next()
      if (performance.now() - looked >= LOOK_EVERY_MS) {
        await look()
        looked = performance.now()
      }
      if (done) return
      yield value
    }
  } finally {
    await next.return?.()
  }
}
