import { expect, it } from 'vitest'
import { regroupBatches } from '#domain/archive/ingest/batches.ts'
import { type Batch, emptyBatch } from '#domain/archive/sources/source.ts'

it('a piece of a damaged file may have more rejected rows than a call may have arguments', async () => {
  const rejections = Array.from({ length: 200_000 }, (_, line) => ({ row: `line ${line}`, reason: 'it has 1 column', source_key: null }))
  async function* pieces(): AsyncGenerator<Batch> {
    yield emptyBatch(1)
    yield { ...emptyBatch(rejections.length), rejections }
  }
  const joined: [rows: number, rejected: number][] = []
  for await (const batch of regroupBatches(pieces())) joined.push([batch.rows, batch.rejections.length])
  expect(joined).toEqual([[200_001, 200_000]])
})
