import type { Batch } from '#domain/archive/sources/source.ts'

/** Rows written in one transaction: enough to spread its cost, few enough to keep memory use flat. */
const BATCH_ROWS = 1_500

/** Joins small batches and yields them in sizes that suit one transaction. */
export async function* regroupBatches(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, undefined> {
  let pending: Batch | null = null
  for await (const batch of batches) {
    if (!pending) pending = batch
    else {
      pending.rows += batch.rows
      for (const part of parts) {
        const all: unknown[] = pending[part]
        // One by one: a piece of a damaged file may have more rejected rows than a call may have arguments.
        for (const one of batch[part]) all.push(one)
      }
    }
    if (pending.rows < BATCH_ROWS) continue
    yield pending
    pending = null
  }
  if (pending && pending.rows > 0) yield pending
}

const parts = ['records', 'months', 'corners', 'members', 'warnings', 'frames', 'stations', 'observations', 'rejections'] as const

/** Reads the next batch while the database writes the one before. */
export async function* readAhead(batches: AsyncGenerator<Batch, undefined>): AsyncGenerator<Batch> {
  let nextBatch = batches.next()
  try {
    for (;;) {
      const { value, done } = await nextBatch
      if (done) return
      nextBatch = batches.next()
      // The error is thrown when this batch is awaited.
      nextBatch.catch(() => {})
      yield value
    }
  } finally {
    await batches.return(undefined)
  }
}
