import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { App } from '#domain/app.ts'
import { startupErrorText } from '#domain/observability/startup-error.ts'
import { openWorld } from '#test/support/world.ts'

it("lets a transaction wait for a free connection longer than Prisma's two seconds, with or without other options", async () => {
  const { app } = await openWorld({ config: { database_pool: 4 } })
  const release = await takeAll(app)
  const transactions = [app.db.$transaction((tx) => tx.team.count()), app.db.$transaction((tx) => tx.team.count(), { timeout: 30_000 })]
  await pause(2500)
  release()
  expect(await Promise.all(transactions)).toEqual([0, 0])
})

it('lets it wait no longer than DATABASE_WAIT_MS, and a start that fails for this states why', async () => {
  const { app } = await openWorld({ config: { database_pool: 4, database_wait_ms: 50 } })
  const release = await takeAll(app)
  const fault = await app.db.$transaction((tx) => tx.team.count()).catch((reason: unknown) => reason)
  release()
  expect(fault).toMatchObject({ code: 'P2028' })
  expect(startupErrorText(fault, { setting: 'DATABASE_URL', url: 'postgresql://weather:s3cret@127.0.0.1:5432/weather' })).toBe(
    'The database of DATABASE_URL (127.0.0.1:5432/weather) cannot be used: ' +
      'it is too busy to complete a transaction in time: start again, and raise DATABASE_WAIT_MS if this continues.',
  )
})

/** Takes every connection of the pool. The returned function releases them. */
async function takeAll({ pool, config }: App): Promise<() => void> {
  const taken = await Promise.all(Array.from({ length: config.database_pool }, () => pool.connect()))
  return () => {
    for (const client of taken) client.release()
  }
}
