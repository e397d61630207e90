import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
beforeAll(async () => {
  world = await openWorld()
  await seedSample(world.app)
  rest = await openRest(world)
})
afterAll(() => rest.close())

test('a link to a document downloads it, or shows it in the browser if requested, until the report is removed', async () => {
  const { token } = await aToken(world, await aTeam(world))
  const { address, window_start, window_end } = sampleStorm
  const { body } = await rest.call('POST', '/reports', { token, body: { address, window_start, window_end } })
  await world.drain()
  const made = await rest.call('POST', `/reports/${body.data.id}/pdf/link`, { token })
  expect(made.headers['cache-control']).toBe('no-store')
  const { pathname } = new URL(made.body.url)
  const [kept, shown] = await Promise.all([pathname, `${pathname}?inline`].map((one) => rest.fastify.inject({ url: one })))
  const filename = `filename="${kept?.headers['content-disposition']?.toString().split('"')[1]}"`
  expect([kept?.headers['content-disposition'], shown?.headers['content-disposition']]).toEqual([
    `attachment; ${filename}`,
    `inline; ${filename}`,
  ])
  expect(shown?.headers['content-type']).toBe('application/pdf')
  expect(shown?.rawPayload.equals(kept?.rawPayload ?? Buffer.alloc(0))).toBe(true)
  const { key } = await world.app.db.document.findFirstOrThrow({ where: { report_id: body.data.id } })
  expect(await world.app.blobs.get(key)).not.toBeNull()
  // Another spelling of the same id removes the same document, and is found in the audit log by the stored one.
  await rest.call('DELETE', `/reports/${body.data.id.toUpperCase()}`, { token })
  expect(await world.app.blobs.get(key)).toBeNull()
  const { rows } = await world.app.pool.query("SELECT target_id FROM audit_log WHERE operation = 'deleteReport'")
  expect(rows).toEqual([{ target_id: body.data.id }])
  const removed = await rest.fastify.inject({ url: pathname, headers: { accept: 'text/html' } })
  expect([removed.statusCode, removed.body]).toEqual([404, expect.stringContaining('<p>The report of this link was removed.</p>')])
})
