import { beforeEach, expect, it } from 'vitest'
import { clearVersions } from '#domain/archive/versions/clear-versions.ts'
import { openWorld, type World } from '#test/support/world.ts'

const DAY = 86_400_000
let world: World
beforeEach(async () => {
  world = await openWorld()
  // Revision 3 took longer than 4, so it became known later.
  for (const [id, days] of [
    [1, 40],
    [2, 30],
    [3, 2],
    [4, 20],
  ] as const)
    await world.owner.query('INSERT INTO archive_revisions (id, known_at) VALUES ($1, $2)', [
      id,
      new Date(world.clock.now().getTime() - days * DAY),
    ])
})

async function ended(warning_key: string, until_revision: number): Promise<void> {
  await world.owner.query(
    `INSERT INTO warning_message_versions (warning_key, message_key, action, identifier, event, message_type, severity, certainty, urgency,
       sent_at, office_name, vtec, threats, citation_url, digest, made, from_revision, until_revision)
     VALUES ($1, 'm', 'NEW', 'i', 'e', 'Alert', 's', 'c', 'u', now(), 'o', 'v', '{}', 'x', 'd', false, 1, $2)`,
    [warning_key, until_revision],
  )
  await world.owner.query('INSERT INTO warning_past_cells (cell, warning_key) VALUES (7, $1) ON CONFLICT DO NOTHING', [warning_key])
}

const left = async (table: string) =>
  (await world.owner.query(`SELECT warning_key FROM ${table} ORDER BY 1`)).rows.map((row) => row.warning_key)

it('deletes the cells of a warning with the last version of its messages', async () => {
  await ended('GONE', 2)
  await ended('HALF', 2)
  await ended('HALF', 3)
  expect(await clearVersions(world.app, 10)).toBe(2)
  expect(await left('warning_message_versions')).toEqual(['HALF'])
  expect(await left('warning_past_cells')).toEqual(['HALF'])
})

it('keeps cells that an import is writing', async () => {
  await ended('KEPT', 2)
  const importing = await world.owner.connect()
  await importing.query('BEGIN')
  await importing.query("SELECT FROM warning_past_cells WHERE warning_key = 'KEPT' FOR UPDATE")
  expect(await clearVersions(world.app, 10)).toBe(1)
  await importing.query('ROLLBACK')
  importing.release()
  expect(await left('warning_past_cells')).toEqual(['KEPT'])
})

it('a revision that became known after the next one holds back both until it expires', async () => {
  await ended('LATE', 3)
  await ended('NEXT', 4)
  expect(await clearVersions(world.app, 10)).toBe(0)
  world.clock.advance(10 * DAY)
  expect(await clearVersions(world.app, 10)).toBe(2)
})

it('looks through no revision if none has expired', async () => {
  await ended('YOUNG', 3)
  const statements: string[] = []
  const query = (statement: string, values: unknown[]) => {
    statements.push(statement)
    return world.app.pool.query(statement, values)
  }
  await clearVersions({ ...world.app, pool: Object.assign(Object.create(world.app.pool), { query }) }, 10)
  expect(statements.filter((statement) => statement.includes('min(id)'))).toEqual([])
})
