import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { openWorld } from '#test/support/world.ts'
import { details, detailsText } from '../files.ts'

/** Twice as many rows as an import writes in one transaction. */
const ROWS = 4_000

it('waits for a running import, then deletes all that it read and leaves no month without its records', async () => {
  const world = await openWorld()
  let imported = 0
  const deleted: number[] = []
  async function* sending(): AsyncGenerator<Buffer> {
    const text = Buffer.from(detailsText(...Array.from({ length: ROWS }, (_, place) => ({ EVENT_ID: String(place + 1) }))))
    yield text.subarray(0, text.length / 2)
    await expect.poll(() => imported).toBeGreaterThan(0)
    deleteSource(world.app, 'storm-events').then(({ records }) => deleted.push(records))
    // By then it has tried to lock the source more than once.
    await pause(1000)
    expect(deleted).toEqual([])
    yield text.subarray(text.length / 2)
  }
  const options = { file_name: details(2019), on_progress: ({ inserted }: { inserted: number }) => void (imported = inserted) }
  expect(await ingest(world.app, 'storm-events', Readable.from(sending()), options)).toMatchObject({ inserted: ROWS })
  await expect.poll(() => deleted).toEqual([ROWS])
  const left = await world.app.pool.query('SELECT source FROM archive_records UNION ALL SELECT source FROM coverage')
  expect(left.rows).toEqual([])
})
