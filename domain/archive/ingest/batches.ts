import type { Batch } from '#domain/archive/sources/source.ts'

/** Rows written in one transaction: enough to spread its cost, few enough to keep memory use flat. */
const BATCH_ROWS = 1_500

/** Joins small batches and yields them in sizes that suit one transaction. */
export async function* regrouped(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, undefined> {
  let gathered: Batch | null = null
  for await (const batch of batches) {
    if (!gathered) gathered = batch
    else {
      gathered.rows += batch.rows
      for (const part of parts) {
        const all: unknown[] = gathered[part]
        all.push(...batch[part])
      }
    }
    if (gathered.rows < BATCH_ROWS) continue
    yield gathered
    gathered = null
  }
  if (gathered && gathered.rows > 0) yield gathered
}

const parts = ['records', 'months', 'corners', 'members', 'warnings', 'frames', 'stations', 'observations', 'rejections'] as const

/** Reads the next batch while the database writes the one before. */
export async function* readAhead(batches: AsyncGenerator<Batch, undefined>): AsyncGenerator<Batch> {
  let coming = batches.next()
  try {
    for (;;) {
      const { value, done } = await coming
      if (done) return
      coming = batches.next()
      // The error is thrown when this batch is awaited.
      coming.catch(() => {})
      yield value
    }
  } finally {
    await batches.return(undefined)
  }
}
