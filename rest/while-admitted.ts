/** How often the caller is checked again during a file: a caller who loses access is cut off within this time. */
const RECHECK_INTERVAL_MS = 1000

/**
 * Yields the pieces of a file that is sent or received, for as long as the caller is admitted. The caller is checked again before a piece, or
 * the end, that comes at least a second after the last check.
 * @param recheck throws a refusal if the caller is no longer admitted, which ends the pieces
 */
export async function* whileAdmitted<Piece>(pieces: AsyncIterable<Piece>, recheck: () => Promise<unknown>): AsyncGenerator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]()
  let checkedAt = performance.now()
  try {
    for (;;) {
      const { done, value } = await iterator.next()
      if (performance.now() - checkedAt >= RECHECK_INTERVAL_MS) {
        await recheck()
        checkedAt = performance.now()
      }
      if (done) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
